import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { numericMetric } from '../../src/core/model/metrics.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('connecting that is held back in one arm is late there by as much, nowhere else, and every record says so', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const out = join(tempFolder(t), 'run');
  const words = [
    '--workload',
    'download-100kb',
    '--network',
    'liu-10mbit-25ms-0pct',
    '--repetitions',
    '3',
    '--evidence',
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
