import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import type { PlannedTrial } from '../../../src/core/model/plan.ts';
import { parseArms } from '../../../src/plan/arms.ts';
import {
  instrumentedBlocksIn,
  furtherInstrumentedBlocks,
  trialsOfBlocks,
  type BlockCounts,
} from '../../../src/plan/blocks.ts';

function trials(
  counts: BlockCounts,
  isInstrumented: (client: string) => boolean = () => true,
  clients: readonly string[] = ['chromium'],
): PlannedTrial[] {
  return trialsOfBlocks({
    ...counts,
    conditions: clients.map((client, index) => ({
      condition: {
        conditionId: `c0${index}`,
        workload: 'page-a',
        client,
        network: 'loopback',
        server: 'caddy',
      },
      open: { client, network: 'loopback', server: 'caddy' },
    })),
    arms: parseArms(['h2', 'h3']),
    seed: 7,
    isInstrumented,
  });
}

/** Such as `e8 b0 b1`: the blocks in their order. */
function order(counts: BlockCounts): string {
  const names = trials(counts).map(
    ({ blockIndex, instrumentation }) => `${instrumentation === 'uninstrumented' ? 'b' : 'e'}${blockIndex}`,
  );
  return [...new Set(names)].join(' ');
}

test('recorded blocks come on top of the others: one before all, one after half of them', () => {
  assert.equal(order({ repetitions: 8, recordedBlocks: 2 }), 'e8 b0 b1 b2 b3 e9 b4 b5 b6 b7');
  assert.equal(order({ repetitions: 4, recordedBlocks: 1 }), 'e4 b0 b1 b2 b3');
  assert.equal(order({ repetitions: 2, recordedBlocks: 0 }), 'b0 b1');
});

test('the second recorded block waits for the first interim analysis, and the others are spread over what follows', () => {
  const interims = [6, 9, 12];
  assert.equal(
    order({ repetitions: 12, interims, recordedBlocks: 4 }),
    'e12 b0 b1 b2 b3 b4 b5 e13 b6 b7 e14 b8 b9 e15 b10 b11',
  );
  assert.equal(order({ repetitions: 8, interims: [8], recordedBlocks: 2 }), 'e8 b0 b1 b2 b3 e9 b4 b5 b6 b7');
});

test('the names of recorded trials begin with e, and no two are alike', () => {
  for (const recordedBlocks of [3, 'all'] as const) {
    const all = trials({ repetitions: 4, recordedBlocks });
    assert.equal(new Set(all.map(({ trialId }) => trialId)).size, all.length);
    for (const { trialId, instrumentation, blockIndex } of all)
      assert.match(
        trialId,
        new RegExp(`^${instrumentation === 'uninstrumented' ? 'b' : 'e'}00${blockIndex}-c00-page-a-h[23]$`),
      );
  }
});

test('where each block is recorded, its trials are timed and recorded in a random order of their own', () => {
  const all = trials({ repetitions: 40, recordedBlocks: 'all' });
  assert.equal(all.length, 40 * 4);
  const firsts = Map.groupBy(all, ({ blockIndex }) => blockIndex)
    .values()
    .map(([first]) => `${first?.instrumentation} ${first?.arm}`);
  const counts = Map.groupBy(firsts, (name) => name);
  assert.equal(counts.size, 4, 'every trial of a block is the first one now and then');
});

test('a client of which nothing is recorded has timed trials alone', () => {
  const all = trials({ repetitions: 4, recordedBlocks: 2 }, (client) => client !== 'curl', [
    'chromium',
    'curl',
  ]);
  const recorded = all.filter(({ instrumentation }) => instrumentation === 'instrumented');
  assert.deepEqual(new Set(recorded.map(({ client }) => client)), new Set(['chromium']));
  assert.equal(recorded.length, 4);
});

test('two blocks are recorded where nothing is said, of fewer as many as there are; more than there are is refused', () => {
  assert.equal(instrumentedBlocksIn(undefined, 8), 2);
  assert.equal(instrumentedBlocksIn(undefined, 1), 1);
  assert.equal(instrumentedBlocksIn(0, 8), 0);
  assert.equal(instrumentedBlocksIn('all', 8), 'all');
  assert.throws(
    () => instrumentedBlocksIn(9, 8),
    (error) => error instanceof H2h3Error && error.code === 'usage' && /has 8 blocks/.test(error.message),
  );
});

test('further evidence lies behind every block of the plan, and is of the conditions that were asked for', () => {
  const plan = {
    seed: 7,
    trials: trials({ repetitions: 8, recordedBlocks: 2 }, undefined, ['chromium', 'firefox']),
  };
  const more = furtherInstrumentedBlocks(plan, new Set(['c01']), 6);
  assert.deepEqual([...new Set(more.map(({ blockIndex }) => blockIndex))], [10, 11, 12, 13, 14, 15]);
  assert.ok(
    more.every(({ client, instrumentation }) => client === 'firefox' && instrumentation === 'instrumented'),
  );
  assert.equal(more.length, 12);
  const ids = new Set([...plan.trials, ...more].map(({ trialId }) => trialId));
  assert.equal(ids.size, plan.trials.length + more.length);
});
