import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hodgesLehmannShift } from '../../../../src/analyse/statistics/hodges-lehmann-shift.ts';

test('the permeability data of Hollander and Wolfe give 0.305 as wilcox.test does in R', () => {
  const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
  const earlier = [1.15, 0.88, 0.9, 0.74, 1.21];
  assert.equal(Number((hodgesLehmannShift(earlier, atTerm) ?? NaN).toFixed(6)), 0.305);
});

test('an empty sample has no shift', () => {
  assert.equal(hodgesLehmannShift([1, 2, 3], [2, 3, 4]), 1);
  assert.equal(hodgesLehmannShift([], [1]), null);
});
