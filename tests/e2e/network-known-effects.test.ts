import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { summarySchema, type Summary } from '../../src/model/summary.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';

function summaryOf(out: string): Summary {
  return summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')));
}

/** Reasons of trials that are not ok, those aside that a busy machine causes: the rules for them are at work then. */
function faults(out: string): string[] {
  return readRecords(out).flatMap(({ status, reason, trialId }) =>
    status === 'ok' || /keep up|did not drop/.test(reason ?? '') ? [] : [`${trialId}: ${reason}`],
  );
}

function throughput(summary: Summary): Summary['comparisons'][number] {
  const found = summary.comparisons.find(({ metric, primary }) => primary && metric === 'throughputMbps');
  assert.ok(found);
  return found;
}

async function measure(out: string, words: readonly string[]): Promise<Summary> {
  const { stderr } = await runCli(['run', ...words, '--exploratory', '--out', out]);
  assert.deepEqual(faults(out), [], stderr);
  return summaryOf(out);
}

test('over 10 Mbit/s with 50 ms and 4 % loss each way HTTP/3 is faster than HTTP/2', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const summary = await measure(join(tempFolder(t), 'run'), [
    '--workload',
    'download-1mb',
    '--network',
    'liu-10mbit-50ms-4pct',
    '--repetitions',
    '6',
  ]);
  const { ratio, baseline, candidate } = throughput(summary);
  assert.ok(baseline.n >= 3 && candidate.n >= 3, `${baseline.n} and ${candidate.n} valid trials`);
  // Few blocks of a path whose losses are random: the direction is asserted, not its size.
  assert.ok(ratio !== null && ratio > 1, `ratio ${ratio}`);
  const [server] = summary.environment?.servers ?? [];
  assert.match(server?.quicCongestionControl ?? '', /reno/i);
  assert.match(server?.tcpCongestionControl ?? '', /reno/i);
});

test('over 1 Gbit/s with nothing impaired HTTP/2 is faster than HTTP/3 in Chromium', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const summary = await measure(join(tempFolder(t), 'run'), [
    '--workload',
    'download-100mb',
    '--network',
    'ethernet-1g',
    '--repetitions',
    '3',
  ]);
  const { ratio } = throughput(summary);
  assert.ok(ratio !== null && ratio < 1, `ratio ${ratio}`);
  const [network] = summary.environment?.networks ?? [];
  assert.equal(network?.impaired, false);
  assert.equal(network?.backend, 'link');
});

test('HTTP/2 against itself over an impaired path is never better or worse', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const summary = await measure(join(tempFolder(t), 'run'), [
    '--workload',
    'download-1mb',
    '--network',
    'liu-10mbit-25ms-0pct',
    '--arms',
    'h2,h2',
    '--repetitions',
    '6',
  ]);
  const { verdict } = throughput(summary);
  assert.ok(verdict === 'equivalent' || verdict === 'inconclusive', verdict);
});
