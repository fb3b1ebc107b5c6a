import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { numericMetric } from '../../src/core/model/metrics.ts';
import { readRecords, runCli, runCliHere } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('connecting that is held back in one arm is late there by as much, nowhere else, and every record says so', async (t) => {
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const out = join(tempFolder(t), 'run');
  const words = [
    '--workload',
    'download-100kb',
    '--network',
    'liu-10mbit-25ms-0pct',
    '--quick-start',
    '--repetitions',
    '3',
    '--recorded',
    '0',
  ];
  const fault = ['--inject', 'h3:connect=+300ms', '--exploratory', '--out', out];
  const { stderr, stdout } = await runCli(['run', ...words, ...fault], { H2H3_PATH_BACKEND: 'emulator' });
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  assert.equal(records.length, 6, stderr);
  const minMs = { h2: Infinity, h3: Infinity };
  for (const { arm, status, reason: why, metrics, warnings } of records) {
    assert.ok(status === 'ok' || machineWasLate(why), why);
    assert.ok(arm === 'h2' || arm === 'h3');
    assert.equal(warnings.includes('fault injected: connect=+300ms'), arm === 'h3', arm);
    if (status !== 'ok') continue;
    const connectMs = numericMetric(metrics, 'connectMs') ?? assert.fail();
    minMs[arm] = Math.min(minMs[arm], connectMs);
  }
  if (minMs.h2 === Infinity || minMs.h3 === Infinity)
    return t.skip('the path was late in every trial of an arm');
  // A handshake over this path takes 50 (QUIC) or 100 ms (TCP with TLS), and a busy machine only adds to it.
  assert.ok(minMs.h3 > 300 && minMs.h2 < 300, JSON.stringify(minMs));
  assert.match(stdout.replace(/\s+/g, ' '), /A fault was injected on purpose \(connect=\+300ms into h3\)/);
});

test('every third chunk that is held back in one arm comes later there by as much, nowhere else, and every record says so', async (t) => {
  const out = join(tempFolder(t), 'run');
  const words = ['--workload', 'video-ci-1s-bba-6s', '--repetitions', '1', '--recorded', '0'];
  const fault = ['--inject', 'h3:chunkdelay=900ms/3', '--exploratory', '--quick-start', '--out', out];
  const { stderr, stdout } = await runCli(['run', ...words, ...fault]);
  const records = readRecords(out);
  assert.deepEqual(records.map(({ arm, status }) => `${arm} ${status}`).sort(), ['h2 ok', 'h3 ok'], stderr);
  for (const { arm, metrics, warnings } of records) {
    assert.equal(warnings.includes('fault injected: chunkdelay=900ms/3'), arm === 'h3', arm);
    const chunks = metrics.chunks ?? [];
    // A player may fetch one anew.
    assert.equal(new Set(chunks.map(({ index }) => index)).size, 6, arm);
    const waitsMs = (isThird: boolean): number[] =>
      chunks
        .filter(({ index }) => (index % 3 === 2) === isThird)
        .map(({ requestStartMs, firstByteMs }) => firstByteMs - requestStartMs);
    // A busy machine only adds to it.
    if (arm === 'h3') assert.ok(Math.min(...waitsMs(true)) >= 890, JSON.stringify(waitsMs(true)));
    else assert.ok(Math.min(...waitsMs(true)) < 890, JSON.stringify(waitsMs(true)));
    assert.ok(Math.min(...waitsMs(false)) < 890, JSON.stringify(waitsMs(false)));
  }
  assert.match(
    stdout.replace(/\s+/g, ' '),
    /A fault was injected on purpose \(chunkdelay=900ms\/3 into h3\)/,
  );
});

test('a download has no chunks that could be held back, which is said before anything is loaded', async (t) => {
  const words = [
    '--workload',
    'download-100kb',
    '--inject',
    'h3:chunkdelay=900ms/3',
    '--exploratory',
    '--quick-start',
  ];
  const { code, stderr } = await runCliHere(['run', ...words, '--out', join(tempFolder(t), 'run')]);
  assert.equal(code, 2, stderr);
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /download-100kb has no chunks that could be held back: name a video/,
  );
});
