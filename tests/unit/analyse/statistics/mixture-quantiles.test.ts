import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  quantileChanges,
  type MixturePart,
  type QuantileChange,
} from '../../../../src/analyse/statistics/mixture-quantiles.ts';
import { drawNormal, seededRandom } from '../../../../src/core/model/seeded-random.ts';

const quantiles = [0.5, 0.75, 0.95];

/** Parts with loads of a mean each, which the candidate changes by so much. */
function partsOf(
  truth: readonly { readonly weight: number; readonly mean: number; readonly change: number }[],
  blocks: number,
  seed: number,
  noise = 20,
): MixturePart[] {
  const random = seededRandom(seed);
  return truth.map(({ weight, mean, change }) => ({
    weight,
    pairs: Array.from({ length: blocks }, (_, block) => ({
      block,
      baseline: mean + noise * drawNormal(random),
      candidate: mean + change + noise * drawNormal(random),
    })),
  }));
}

const changesOf = (parts: readonly MixturePart[]): QuantileChange[] =>
  quantileChanges(parts, quantiles, 0.95, 1);

test('a quantile of a mixture is where its share of the page views ends, however many loads each part has', () => {
  const parts = partsOf(
    [
      { weight: 0.9, mean: 1000, change: 0 },
      { weight: 0.1, mean: 5000, change: -500 },
    ],
    40,
    2,
  );
  const [half, threeQuarters, tail] = changesOf(parts);
  assert.ok(Math.abs((half?.baseline ?? 0) - 1000) < 15, String(half?.baseline));
  assert.ok(Math.abs((threeQuarters?.baseline ?? 0) - 1015) < 20, String(threeQuarters?.baseline));
  assert.ok(Math.abs((tail?.baseline ?? 0) - 5000) < 20, String(tail?.baseline));
  assert.ok(Math.abs((tail?.difference ?? 0) + 500) < 25, String(tail?.difference));
});

test('with too few loads beyond it a quantile has no answer, and says how many there are', () => {
  const [half, , tail] = changesOf(partsOf([{ weight: 1, mean: 1000, change: 0 }], 20, 1));
  assert.notEqual(half?.difference, null);
  assert.deepEqual([tail?.difference, tail?.interval, tail?.beyond], [null, null, 1]);
  assert.equal(changesOf(partsOf([{ weight: 1, mean: 1000, change: 0 }], 5, 1))[0]?.interval, null);
});

test('the same seed gives the same intervals, and without parts there is none', () => {
  const parts = partsOf([{ weight: 1, mean: 1000, change: 50 }], 12, 4);
  assert.deepEqual(changesOf(parts), changesOf(parts));
  assert.deepEqual(
    changesOf([]).map(({ difference }) => difference),
    [null, null, null],
  );
});

test('the intervals of p50 and p75 hold the truth in about 95 % of runs', () => {
  const truth = [
    { weight: 0.5, mean: 1000, change: -100 },
    { weight: 0.3, mean: 1100, change: -100 },
    { weight: 0.2, mean: 1200, change: -100 },
  ];
  const runs = 150;
  let held = 0;
  let asked = 0;
  for (let run = 0; run < runs; run++)
    for (const { quantile, interval } of changesOf(partsOf(truth, 12, 100 + run, 80))) {
      if (quantile > 0.9 || interval === null) continue;
      asked++;
      // Every load is quicker by as much, so every quantile is.
      if (interval[0] <= -100 && interval[1] >= -100) held++;
    }
  assert.ok(asked > runs, String(asked));
  assert.ok(held / asked > 0.91 && held / asked < 0.995, `${held} of ${asked}`);
});
