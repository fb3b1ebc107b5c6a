import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interimLevels } from '../../../../src/analyse/statistics/alpha-spending.ts';
import { normalPath } from '../../../../src/analyse/statistics/normal-path.ts';
import { studentPath } from '../../../../src/analyse/statistics/student-path.ts';
import type { PlannedInterim } from '../../../../src/analyse/statistics/alpha-spending.ts';
import fixtures from './scipy-fixtures.json' with { type: 'json' };
import {
  attainableSize,
  attainableSizeOf,
  minimumBlocks,
  smallestAdjustedPValue,
  smallestPValue,
} from '../../../../src/analyse/statistics/attainable-p.ts';
import {
  clusteredProportionInterval,
  proportionUpperBound,
} from '../../../../src/analyse/statistics/proportion-interval.ts';

const close = (actual: number | null | undefined, expected: number, tolerance: number): void => {
  assert.ok(Math.abs((actual ?? NaN) - expected) <= tolerance, `expected ${expected}, got ${actual}`);
};

test('the attainable size with eight blocks is 3.9 %', () => {
  close(attainableSize(8, 0.05), 0.0390625, 1e-15);
  assert.equal(attainableSize(5, 0.05), 0);
  close(attainableSize(6, 0.05), 0.03125, 1e-15);
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

const linear = (interims: readonly number[]): PlannedInterim[] =>
  interims.map((blocks) => ({ blocks, share: blocks / (interims.at(-1) ?? 1) }));

test('a test that reaches every level spends as the integral says: a first look at 8 of 20 has 8/20 of 5 %', () => {
  close(interimLevels(linear([8, 20]), 0.05, normalPath(20))[0], 0.02, 1e-9);
  close(interimLevels(linear([20]), 0.05, normalPath(20))[0], 0.05, 1e-9);
});

test('the levels of looks at 12, 16 and 20 blocks solve the multivariate normal', () => {
  const levels = interimLevels(linear([12, 16, 20]), 0.05, normalPath(20));
  fixtures.linearInterimLevels.forEach((expected, i) => close(levels[i], expected, 2e-6));
});

test('what a discrete test cannot spend at an interim analysis carries over to the next', () => {
  const full = interimLevels(linear([7, 20]), 0.05, normalPath(20));
  const discrete = interimLevels(linear([7, 20]), 0.05, normalPath(20), ({ blocks }, level) =>
    blocks === 7 ? 0 : level,
  );
  assert.equal(discrete[0], 0);
  close(discrete[1], 0.05, 1e-6);
  assert.ok((full[1] ?? 1) < 0.05);
});

test('between boundaries that hardly any run crosses a t statistic keeps Student’s distribution at every length', () => {
  const path = studentPath(4);
  path.cross(1e-12);
  for (const blocks of [4, 5, 12, 20]) {
    path.advance(blocks);
    for (const level of [0.2, 0.05, 0.002]) close(path.levelFor(level) / level, 1, 0.01);
  }
});

test('interim analyses that do not ascend are refused', () => {
  assert.throws(() => interimLevels(linear([12, 12]), 0.05, normalPath(12)), /ascending/);
  assert.throws(() => interimLevels([], 0.05, normalPath(1)), RangeError);
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
