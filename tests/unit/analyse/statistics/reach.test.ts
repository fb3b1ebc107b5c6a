import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationTests } from '../../../../src/analyse/statistics/location-test.ts';
import {
  blocksToDecide,
  decidingShare,
  simulateReach,
  wantedPower,
} from '../../../../src/analyse/statistics/reach.ts';
import { drawNormal } from '../../../../src/core/model/seeded-random.ts';

const most = 200;

test('the fewest blocks are those at which counting every run first says so, though most runs are not counted', () => {
  for (const test of Object.values(locationTests)) {
    const reach = simulateReach(drawNormal, { test, alpha: 0.05, runs: 200, seed: 3 });
    let decided = 0;
    for (const effect of [-0.2, 0, 0.3, 0.45, 0.5, 0.9, 2])
      for (const scale of [0.02, 0.3, 0.8, 1.7, 6]) {
        const truth = { effect, scale, margin: 0.5 };
        const counted = (blocks: number): boolean => decidingShare(reach, blocks, truth) >= wantedPower;
        const blocks = blocksToDecide(reach, truth, most);
        const what = `${test.name}, ${JSON.stringify(truth)}: ${blocks}`;
        if (blocks === null) {
          assert.ok(!counted(most), what);
          continue;
        }
        decided++;
        assert.ok(counted(blocks), what);
        assert.ok(blocks === test.minValues || !counted(blocks - 1), what);
      }
    assert.ok(decided > 10);
  }
});
