import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type Summary } from '../../src/core/model/summary.ts';
import { readRecords, readSummary, runCli } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Fewer blocks can decide nothing, and then an A/A test could not fail: one comparison, and two in a family. */
const decidableBlocks = { ofOne: '6', ofTwo: '7' };

/** Reasons of trials that are not ok, those aside that a busy machine causes. */
function faults(out: string): string[] {
  return readRecords(out).flatMap(({ status, reason, trialId }) =>
    status === 'ok' || machineWasLate(reason) ? [] : [`${trialId}: ${reason}`],
  );
}

function throughput(summary: Summary, candidate: string): Summary['comparisons'][number] {
  const found = summary.comparisons.find(
    ({ metric, primary, candidate: arm }) => primary && metric === 'throughputMbps' && arm.arm === candidate,
  );
  assert.ok(found, `no comparison with ${candidate}`);
  return found;
}

/** The machine could not hold the path, so nothing about it can be said. */
class TooBusy extends Error {}

/** A test over a path, left out with the reason where this machine can make none or is too busy to hold it. */
function testOfPath(name: string, body: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    const reason = await namespaceLack();
    if (reason !== null) return t.skip(reason);
    try {
      await body(t);
    } catch (thrown) {
      if (!(thrown instanceof TooBusy)) throw thrown;
      t.skip(thrown.message);
    }
  });
}

async function measure(out: string, words: readonly string[]): Promise<Summary> {
  const { stderr } = await runCli(['run', ...words, '--recorded', '0', '--exploratory', '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) throw new TooBusy(refused);
  assert.deepEqual(faults(out), [], stderr);
  const summary = readSummary(out);
  const { ok, invalid } = summary.trials;
  if (ok <= invalid) throw new TooBusy(`the path was late in ${invalid} of ${ok + invalid} trials`);
  return summary;
}

/**
 * The same against itself is neither better nor worse. Chance alone says so up to once in twenty runs, by the level of
 * the verdicts; then other blocks decide, in which the same must not be said again.
 */
async function assertNoOther(first: Summary, blocks: (seed: number) => Promise<Summary>): Promise<void> {
  const { verdict, ratio } = throughput(first, 'h2#2');
  if (verdict !== 'better' && verdict !== 'worse') return;
  const again = throughput(await blocks(2), 'h2#2');
  assert.notEqual(again.verdict, verdict, `twice, ratios ${ratio} and ${again.ratio}`);
}

testOfPath('over 10 Mbit/s with 50 ms and 4 % loss each way HTTP/3 is faster than HTTP/2', async (t) => {
  const folder = tempFolder(t);
  const words = ['--workload', 'download-1mb', '--network', 'liu-10mbit-50ms-4pct'];
  const blocks = async (count: number, seed: number): Promise<Summary> =>
    measure(join(folder, `run-${seed}`), [...words, '--repetitions', `${count}`, '--seed', `${seed}`]);
  const summary = await blocks(2, 1);
  const [server] = summary.environment?.servers ?? [];
  assert.match(server?.quicCongestionControl ?? '', /\breno\b/i);
  assert.match(server?.tcpCongestionControl ?? '', /\breno\b/i);
  const first = throughput(summary, 'h3');
  // Losses are random: two blocks nearly always show the direction; where they do not, six others alone decide.
  const { ratio } =
    first.blocks >= 2 && (first.ratio ?? 0) > 1 ? first : throughput(await blocks(6, 2), 'h3');
  assert.ok(ratio !== null && ratio > 1, `ratio ${ratio}`);
});

testOfPath(
  'over 1 Gbit/s with nothing impaired HTTP/2 is faster than HTTP/3 in Chromium, and no other than itself',
  async (t) => {
    const folder = tempFolder(t);
    const blocks = (seed: number): Promise<Summary> =>
      measure(join(folder, `run-${seed}`), [
        '--workload',
        'download-40mb',
        '--network',
        'ethernet-1g',
        '--seed',
        `${seed}`,
        '--arms',
        'h2,h3,h2',
        '--repetitions',
        decidableBlocks.ofTwo,
      ]);
    const summary = await blocks(1);
    const { ratio } = throughput(summary, 'h3');
    assert.ok(ratio !== null && ratio < 1, `ratio ${ratio}`);
    await assertNoOther(summary, blocks);
    const [network] = summary.environment?.networks ?? [];
    assert.equal(network?.impaired, false);
    assert.equal(network?.backend, 'link');
  },
);

testOfPath('over a path with delay and loss HTTP/2 is no other than itself', async (t) => {
  const folder = tempFolder(t);
  const blocks = (seed: number): Promise<Summary> =>
    measure(join(folder, `run-${seed}`), [
      '--workload',
      'download-100kb',
      '--network',
      'liu-10mbit-50ms-4pct',
      '--seed',
      `${seed}`,
      '--arms',
      'h2,h2',
      '--repetitions',
      decidableBlocks.ofOne,
    ]);
  await assertNoOther(await blocks(1), blocks);
});
