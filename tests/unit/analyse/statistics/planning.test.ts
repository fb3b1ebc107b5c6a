import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookLevels, spentAlpha } from '../../../../src/analyse/statistics/alpha-spending.ts';
import {
  attainableSize,
  attainableSizeOf,
  smallestAdjustedPValue,
  smallestPValue,
} from '../../../../src/analyse/statistics/attainable-p.ts';
import { blocksNeeded, minimumBlocks } from '../../../../src/analyse/statistics/blocks-needed.ts';
import { isBeyondMargin, isEquivalent } from '../../../../src/analyse/statistics/equivalence.ts';
import {
  clusteredProportionInterval,
  proportionUpperBound,
} from '../../../../src/analyse/statistics/proportion-interval.ts';

const close = (actual: number | null | undefined, expected: number, tolerance: number): void => {
  assert.ok(Math.abs((actual ?? NaN) - expected) <= tolerance, `expected ${expected}, got ${actual}`);
};

test('the attainable size with eight blocks is 3.9 %', () => {
  assert.equal(attainableSize(8, 0.05), 0.0390625);
  assert.equal(attainableSize(5, 0.05), 0);
  assert.equal(attainableSize(6, 0.05), 0.03125);
  assert.equal(attainableSizeOf([1, 2, 3, 4, 5, 6, 7, -8, 0], 0.05), 0.0390625);
  assert.equal(attainableSizeOf([0, 0, 0, 1, 0, 0, 0, 0], 0.05), 0);
});

test('the smallest p halves with each block and grows with the family', () => {
  assert.equal(smallestPValue(8), 2 ** -7);
  assert.equal(smallestAdjustedPValue(4, 8), 4 / 128);
  assert.equal(smallestAdjustedPValue(100, 2), 1);
});

test('the fewest blocks by family size are those of METRICS', () => {
  const table = [1, 4, 6, 12, 18, 120].map((comparisons) => minimumBlocks(comparisons, 0.05));
  assert.deepEqual(table, [6, 8, 8, 9, 10, 13]);
});

test('spending at 8 of 20 blocks is 0.002, all at the end', () => {
  close(spentAlpha(8 / 20, 0.05), 0.0019419129967408466, 1e-12);
  assert.equal(spentAlpha(1, 0.05), 0.05);
  assert.equal(spentAlpha(0, 0.05), 0);
});

test('the levels of looks at 12, 16 and 20 blocks solve the multivariate normal', () => {
  // scipy 1.17.1: boundaries by brentq on multivariate_normal.cdf(bb, 0, C, lower_limit=-bb) with
  // C_ij = sqrt(min(t_i,t_j)/max(t_i,t_j)), t = .6, .8, 1: 2.530303, 2.251022, 2.062504; levels 2·norm.sf
  const levels = lookLevels([12, 16, 20], 0.05);
  close(levels[0], 0.0113964184, 1e-8);
  close(levels[1], 0.0243841187, 1e-6);
  close(levels[2], 0.0391597779, 1e-6);
});

test('a single look is an ordinary test; looks that do not ascend are refused', () => {
  close(lookLevels([20], 0.05)[0], 0.05, 1e-9);
  assert.throws(() => lookLevels([12, 12], 0.05), /ascending/);
  assert.throws(() => lookLevels([], 0.05), RangeError);
});

test('equivalent is inside the margin, beyond is outside on one side', () => {
  assert.equal(isEquivalent([-0.02, 0.03], 0.03), true);
  assert.equal(isEquivalent([-0.02, 0.031], 0.03), false);
  assert.equal(isEquivalent([0, 0], 0), true);
  assert.equal(isEquivalent(null, 1), false);
  assert.equal(isBeyondMargin([0.04, 0.05], 0.03), true);
  assert.equal(isBeyondMargin([-0.05, 0.05], 0.03), false);
  assert.equal(isBeyondMargin([-0.05, -0.04], 0.03), true);
});

const effects = [0.06, 0.02, 0.09, -0.01, 0.05, 0.07, 0.01, 0.04];
const input = { effects, scaleMargin: 0.02, alpha: 0.05, comparisons: 1 };

test('blocks needed grow with noise, with nearness to the margin and with the family', () => {
  const base = blocksNeeded({ ...input, estimate: 0.06 }) as number;
  assert.ok(base > effects.length);
  const noisy = effects.map((effect) => effect * 3);
  assert.ok((blocksNeeded({ ...input, estimate: 0.06, effects: noisy }) as number) > base * 4);
  assert.ok((blocksNeeded({ ...input, estimate: 0.03 }) as number) > base * 4);
  assert.ok((blocksNeeded({ ...input, estimate: 0.06, comparisons: 20 }) as number) > base);
});

test('an estimate on the margin or too few blocks give no number', () => {
  assert.equal(blocksNeeded({ ...input, estimate: 0.02 }), undefined);
  assert.equal(blocksNeeded({ ...input, estimate: 0.06, effects: [0.1, 0.2] }), undefined);
});

test('a clustered interval is wider than an unclustered one and needs two clusters', () => {
  assert.equal(clusteredProportionInterval([{ events: 2, trials: 40 }], 0.95), null);
  const even = Array.from({ length: 10 }, () => ({ events: 1, trials: 20 }));
  const lumped = Array.from({ length: 10 }, (_, i) => ({ events: i === 0 ? 10 : 0, trials: 20 }));
  const width = (clusters: typeof even): number => {
    const [low, high] = clusteredProportionInterval(clusters, 0.95) ?? [0, 0];
    assert.ok(low <= 0.05 && high >= 0.05);
    return high - low;
  };
  assert.ok(width(lumped) > 2 * width(even));
});

test('the upper bound after no event in n trials follows 1 − level^(1/n)', () => {
  close(proportionUpperBound(0, 59, 0.95), 1 - 0.05 ** (1 / 59), 1e-9);
  // scipy 1.17.1: stats.beta.ppf(.95, 3, 28) for 2 events of 30
  close(proportionUpperBound(2, 30, 0.95), 0.19532604365492595, 1e-9);
  assert.equal(proportionUpperBound(0, 0, 0.95), null);
  assert.equal(proportionUpperBound(3, 3, 0.95), 1);
});
