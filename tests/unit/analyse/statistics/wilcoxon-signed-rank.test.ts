import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wilcoxonSignedRank } from '../../../../src/analyse/statistics/wilcoxon-signed-rank.ts';

const close = (actual: number, expected: number, tolerance = 1e-12): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`);
};

// Hollander & Wolfe (1973), Table 3.1: depression scale factor of nine patients at two visits.
const firstVisit = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
const secondVisit = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

test('the depression data of Hollander and Wolfe give V = 40 and p = 0.03906 as in R', () => {
  const result = wilcoxonSignedRank(firstVisit.map((value, i) => value - (secondVisit[i] as number)));
  assert.equal(result.statistic, 40);
  close(result.pValue, 0.0390625);
  assert.equal(result.method, 'exact');
});

test('tied differences get the exact permutation p of their midranks', () => {
  // scipy 1.17.1: wilcoxon([3,-1,2,2,-2,5,1,4,-3,6], method=PermutationMethod(n_resamples=inf)).pvalue
  const result = wilcoxonSignedRank([3, -1, 2, 2, -2, 5, 1, 4, -3, 6]);
  close(result.pValue, 0.134765625);
  assert.equal(result.tied, true);
});

test('zeros are left out of the ranking and counted', () => {
  // scipy 1.17.1: the same with two zeros in front and zero_method='wilcox'
  const result = wilcoxonSignedRank([0, 0, 3, -1, 2, 2, -2, 5, 1, 4, -3, 6]);
  close(result.pValue, 0.134765625);
  assert.deepEqual([result.n, result.zeros], [10, 2]);
});

test('differences that are all zero give p = 1', () => {
  assert.deepEqual(wilcoxonSignedRank([0, 0, 0]).pValue, 1);
  assert.deepEqual(wilcoxonSignedRank([]).pValue, 1);
});

test('beyond 50 differences the tie-corrected normal approximation agrees with scipy', () => {
  // numpy default_rng(7): round(normal(.3, 1, 60), 1); scipy 1.17.1:
  // wilcoxon(d, correction=True, method='asymptotic', zero_method='wilcox').pvalue
  const tenths = [
    3, 6, 0, -6, -2, -7, 4, 16, -2, -3, 8, 7, 4, -6, 3, 10, -10, -2, -16, -10, -15, 1, -10, 6, 5, 1, -22, -2,
    3, 4, -12, -2, -7, -5, 14, -5, 3, 12, -3, 2, 4, 4, -9, 4, 17, -12, 12, 4, -3, 23, 11, -9, 4, 9, 1, 10, 2,
    10, 17, -4,
  ];
  const result = wilcoxonSignedRank(tenths);
  assert.equal(result.method, 'normal');
  close(result.pValue, 0.3507223658625851, 1e-9);
});

test('the smallest p with n blocks of one sign is 2^(1−n)', () => {
  for (const n of [2, 6, 8, 20, 50]) {
    close(wilcoxonSignedRank(Array.from({ length: n }, (_, i) => i + 1)).pValue, 2 ** (1 - n));
  }
});

/** Two-sided exact p by its definition: the share of all 2ⁿ patterns of signs whose sum of ranks is as extreme. */
function pByEnumeration(differences: readonly number[]): number {
  const magnitudes = differences.map(Math.abs);
  const ranks = magnitudes.map((own) => {
    const below = magnitudes.filter((other) => other < own).length;
    const alike = magnitudes.filter((other) => other === own).length;
    return below + (alike + 1) / 2;
  });
  const sumOver = (positive: (i: number) => boolean): number =>
    ranks.reduce((sum, rank, i) => (positive(i) ? sum + rank : sum), 0);
  const observed = sumOver((i) => (differences[i] ?? 0) > 0);
  const sums = Array.from({ length: 2 ** ranks.length }, (_, signs) =>
    sumOver((i) => ((signs >> i) & 1) === 1),
  );
  const share = (extreme: (sum: number) => boolean): number => sums.filter(extreme).length / sums.length;
  return Math.min(
    1,
    2 *
      Math.min(
        share((sum) => sum <= observed),
        share((sum) => sum >= observed),
      ),
  );
}

test('p is the share of all patterns of signs that are as extreme, with ties and without', () => {
  const nonZero = fc.integer({ min: -9, max: 9 }).filter((value) => value !== 0);
  fc.assert(
    fc.property(fc.array(nonZero, { minLength: 1, maxLength: 9 }), (differences) => {
      close(wilcoxonSignedRank(differences).pValue, pByEnumeration(differences), 1e-12);
    }),
  );
});

test('p does not depend on sign, scale or order, and lies between 0 and 1', () => {
  const sample = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 60 });
  fc.assert(
    fc.property(sample, fc.integer({ min: 1, max: 9 }), (differences, factor) => {
      const { pValue } = wilcoxonSignedRank(differences);
      assert.ok(pValue > 0 && pValue <= 1);
      close(wilcoxonSignedRank(differences.map((value) => -value * factor).reverse()).pValue, pValue, 1e-9);
    }),
  );
});
