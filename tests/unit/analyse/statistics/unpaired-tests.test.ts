import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cliffsDelta } from '../../../../src/analyse/statistics/cliffs-delta.ts';
import { welchT } from '../../../../src/analyse/statistics/welch-t.ts';

const close = (actual: number | null | undefined, expected: number, tolerance = 1e-9): void => {
  assert.ok(Math.abs((actual ?? NaN) - expected) <= tolerance, `expected ${expected}, got ${actual}`);
};

// Hollander & Wolfe (1973), Table 4.1: permeability constants of the human chorioamnion.
const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
const earlier = [1.15, 0.88, 0.9, 0.74, 1.21];

test('an empty sample has no effect size', () => {
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
