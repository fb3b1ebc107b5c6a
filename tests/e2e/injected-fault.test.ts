import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { numericMetric } from '../../src/model/metrics.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('connecting that is held back in one arm is late there by as much, nowhere else, and every record says so', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const out = join(tempFolder(t), 'run');
  const words = ['--workload', 'download-100kb', '--network', 'liu-10mbit-25ms-0pct', '--repetitions', '1'];
  const fault = ['--inject', 'h3:connect=+300ms', '--exploratory', '--out', out];
  const { stderr, stdout } = await runCli(['run', ...words, ...fault], { H2H3_PATH_BACKEND: 'emulator' });
  const records = readRecords(out);
  assert.equal(records.length, 2, stderr);
  for (const { arm, status, reason: why, metrics, warnings } of records) {
    assert.equal(status, 'ok', why);
    const connectMs = numericMetric(metrics, 'connectMs') ?? assert.fail();
    const met = arm === 'h3';
    // A handshake over this path takes 50 (QUIC) or 100 ms (TCP with TLS).
    assert.equal(connectMs > 300 && connectMs < 600, met, `${arm}: ${connectMs} ms`);
    assert.equal(warnings.includes('fault injected: connect=+300ms'), met, arm);
  }
  assert.match(stdout.replace(/\s+/g, ' '), /A fault was injected on purpose \(connect=\+300ms into h3\)/);
});
