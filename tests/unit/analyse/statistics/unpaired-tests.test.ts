import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cliffsDelta } from '../../../../src/analyse/statistics/cliffs-delta.ts';
import { mannWhitney } from '../../../../src/analyse/statistics/mann-whitney.ts';
import { welchT } from '../../../../src/analyse/statistics/welch-t.ts';

const close = (actual: number | null | undefined, expected: number, tolerance = 1e-9): void => {
  assert.ok(Math.abs((actual ?? NaN) - expected) <= tolerance, `expected ${expected}, got ${actual}`);
};

// Hollander & Wolfe (1973), Table 4.1: permeability constants of the human chorioamnion.
const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
const earlier = [1.15, 0.88, 0.9, 0.74, 1.21];

test('the permeability data of Hollander and Wolfe give W = 35 and one-sided p = 0.1272 as in R', () => {
  const result = mannWhitney(atTerm, earlier);
  assert.equal(result.statistic, 35);
  assert.equal(((result.pValue ?? 0) / 2).toFixed(4), '0.1272');
});

test('Mann–Whitney with ties is the exact permutation p', () => {
  // scipy 1.17.1: mannwhitneyu([1,2,2,3,5,5], [2,4,5,6,6,7,8], method=PermutationMethod(n_resamples=inf)).pvalue
  const result = mannWhitney([1, 2, 2, 3, 5, 5], [2, 4, 5, 6, 6, 7, 8]);
  assert.equal(result.statistic, 7);
  close(result.pValue, 0.04428904428904429);
});

test('large samples agree with scipy’s tie-corrected normal approximation', () => {
  // numpy default_rng(7) after 60 draws; scipy 1.17.1: mannwhitneyu(a, b, method='asymptotic').pvalue
  const a = [
    2, -5, 1, -12, -6, -2, 9, 11, -13, -8, 6, -20, -5, -1, 13, 7, -3, -4, -3, 15, -4, -3, 4, -1, -2, -11, 0,
    -4, 12, 7, 0, 7, -3, 11, 0, 6, -13, 3, -17, -20,
  ];
  const b = [
    2, -4, 7, 27, -3, -1, 7, 10, 3, 3, 12, 10, -5, 4, 5, -6, 8, -4, 15, 7, 6, -1, 4, -15, -6, 9, -16, 13, -12,
    13, -3, 13, 6, -10, 17,
  ];
  const result = mannWhitney(a, b);
  assert.equal(result.statistic, 519.5);
  close(result.pValue, 0.0556684810845945);
});

test('exchanging the samples leaves p as it is', () => {
  const sample = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(sample, sample, (a, b) => {
      close(mannWhitney(a, b).pValue, mannWhitney(b, a).pValue ?? NaN, 1e-9);
    }),
  );
});

test('an empty sample has no p', () => {
  assert.equal(mannWhitney([], [1]).pValue, null);
  assert.equal(cliffsDelta([], [1]), null);
});

test('Welch’s t agrees with scipy on the permeability data', () => {
  // scipy 1.17.1: ttest_ind(a, b, equal_var=False)
  const result = welchT(atTerm, earlier);
  close(result?.statistic, 2.0413830922100695);
  close(result?.degreesOfFreedom, 12.970538443257544);
  close(result?.pValue, 0.06210134378107847);
});

test('Welch’s t is not defined for one value or constant samples', () => {
  assert.equal(welchT([1], [1, 2]), null);
  assert.equal(welchT([1, 1], [2, 2]), null);
});

test('Cliff’s delta counts dominance over all pairs', () => {
  assert.equal(cliffsDelta([1, 2, 3], [4, 5]), 1);
  assert.equal(cliffsDelta([4, 5], [1, 2, 3]), -1);
  assert.equal(cliffsDelta([1, 2], [1, 2]), 0);
  const sample = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(sample, sample, (a, b) => {
      const byPairs = a.flatMap((x) => b.map((y) => Math.sign(y - x))).reduce((sum, sign) => sum + sign, 0);
      close(cliffsDelta(a, b), byPairs / (a.length * b.length), 1e-12);
    }),
  );
});
