import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanWithInterval, upperBoundPercent } from '../../../../harness/bench/paired-cost.ts';

test('the bound of what a probe costs lies above its mean, by more the fewer and the noisier its rounds', () => {
  // Mean 2, standard deviation 1, t(0.95; 2) = 2.92: (2 + 2.92 / √3) of 100.
  assert.ok(Math.abs(upperBoundPercent([1, 2, 3], [100, 100, 100]) - 3.686) < 0.001);
  assert.ok(Math.abs(upperBoundPercent([2, 2, 2], [50, 50, 50]) - 4) < 1e-9);
  assert.ok(upperBoundPercent([1, 2, 3], [100]) > upperBoundPercent([1, 2, 3, 1, 2, 3, 1, 2, 3], [100]));
  assert.ok(Number.isNaN(upperBoundPercent([1], [100])));
});

test('a mean has the interval of Student’s t, and none where there is one round', () => {
  // t(0.975; 2) = 4.303: 2 ± 4.303 / √3.
  const { mean, interval } = meanWithInterval([1, 2, 3]) ?? { mean: Number.NaN, interval: [] };
  assert.equal(mean, 2);
  assert.ok(Math.abs((interval[0] ?? 0) - -0.484) < 0.001 && Math.abs((interval[1] ?? 0) - 4.484) < 0.001);
  assert.equal(meanWithInterval([1]), null);
});
