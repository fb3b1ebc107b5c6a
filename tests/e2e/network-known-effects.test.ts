import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { summarySchema, type Summary } from '../../src/model/summary.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Fewer blocks can decide nothing, and then an A/A test could not fail: one comparison, and two in a family. */
const decidableBlocks = { ofOne: '6', ofTwo: '7' };

/** Reasons of trials that are not ok, those aside that a busy machine causes: the rules for them are at work then. */
function faults(out: string): string[] {
  return readRecords(out).flatMap(({ status, reason, trialId }) =>
    status === 'ok' || /keep up|did not drop/.test(reason ?? '') ? [] : [`${trialId}: ${reason}`],
  );
}

function throughput(summary: Summary, candidate: string): Summary['comparisons'][number] {
  const found = summary.comparisons.find(
    ({ metric, primary, candidate: arm }) => primary && metric === 'throughputMbps' && arm.arm === candidate,
  );
  assert.ok(found, `no comparison with ${candidate}`);
  return found;
}

async function measure(out: string, words: readonly string[]): Promise<Summary> {
  const { stderr } = await runCli(['run', ...words, '--exploratory', '--out', out]);
  assert.deepEqual(faults(out), [], stderr);
  return summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')));
}

test('over 10 Mbit/s with 50 ms and 4 % loss each way HTTP/3 is faster than HTTP/2', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const folder = tempFolder(t);
  const words = ['--workload', 'download-1mb', '--network', 'liu-10mbit-50ms-4pct'];
  const blocks = async (count: number, seed: number): Promise<Summary> =>
    measure(join(folder, `run-${seed}`), [...words, '--repetitions', `${count}`, '--seed', `${seed}`]);
  const summary = await blocks(2, 1);
  const [server] = summary.environment?.servers ?? [];
  assert.match(server?.quicCongestionControl ?? '', /reno/i);
  assert.match(server?.tcpCongestionControl ?? '', /reno/i);
  const first = throughput(summary, 'h3');
  // Losses are random: two blocks nearly always show the direction; where they do not, six others alone decide.
  const { ratio } =
    first.blocks >= 2 && (first.ratio ?? 0) > 1 ? first : throughput(await blocks(6, 2), 'h3');
  assert.ok(ratio !== null && ratio > 1, `ratio ${ratio}`);
});

test('over 1 Gbit/s with nothing impaired HTTP/2 is faster than HTTP/3 in Chromium, and no other than itself', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const summary = await measure(join(tempFolder(t), 'run'), [
    ...['--workload', 'download-40mb', '--network', 'ethernet-1g'],
    ...['--arms', 'h2,h3,h2', '--repetitions', decidableBlocks.ofTwo],
  ]);
  const { ratio } = throughput(summary, 'h3');
  assert.ok(ratio !== null && ratio < 1, `ratio ${ratio}`);
  const { verdict, ratio: same } = throughput(summary, 'h2#2');
  assert.ok(verdict === 'equivalent' || verdict === 'inconclusive', `${verdict}, ratio ${same}`);
  const [network] = summary.environment?.networks ?? [];
  assert.equal(network?.impaired, false);
  assert.equal(network?.backend, 'link');
});

test('over a path with delay and loss HTTP/2 is no other than itself', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const summary = await measure(join(tempFolder(t), 'run'), [
    ...['--workload', 'download-100kb', '--network', 'liu-10mbit-50ms-4pct'],
    ...['--arms', 'h2,h2', '--repetitions', decidableBlocks.ofOne],
  ]);
  const { verdict, ratio } = throughput(summary, 'h2#2');
  assert.ok(verdict === 'equivalent' || verdict === 'inconclusive', `${verdict}, ratio ${ratio}`);
});
