import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { adjustPValues } from '../../../../src/analyse/statistics/adjust-p-values.ts';

// The fifteen p values of Benjamini & Hochberg (1995), §3.2.
const published = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
  0.759, 1,
];

function assertClose(actual: readonly (number | null)[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => assert.ok(Math.abs((value ?? NaN) - (expected[i] as number)) < 1e-12));
}

test('Benjamini and Hochberg’s own example: four rejected by their procedure, three by Holm', () => {
  const rejected = (method: 'holm' | 'bh'): number =>
    adjustPValues(published, method).filter((p) => p !== null && p < 0.05).length;
  assert.equal(rejected('bh'), 4);
  assert.equal(rejected('holm'), 3);
});

test('adjusted values agree with statsmodels', () => {
  // statsmodels 0.15.0: multipletests(p, method='holm')[1] and method='fdr_bh'
  assertClose(
    adjustPValues(published, 'holm'),
    [0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1, 1, 1, 1, 1, 1],
  );
  assertClose(
    adjustPValues(published, 'bh'),
    [
      0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714285714286, 0.06385714285714286, 0.0645, 0.0765,
      0.486, 0.5811818181818182, 0.714875, 0.7532307692307693, 0.8132142857142857, 1,
    ],
  );
});

test('missing p values stay missing and cost nothing', () => {
  assert.deepEqual(adjustPValues([0.01, null, 0.04], 'holm'), [0.02, null, 0.04]);
  assert.deepEqual(adjustPValues([null], 'bh'), [null]);
  assert.deepEqual(adjustPValues([], 'holm'), []);
});

test('adjusted p is never below p, keeps the order and Holm is never below Benjamini–Hochberg', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
      (ps) => {
        const holm = adjustPValues(ps, 'holm').map(Number);
        const bh = adjustPValues(ps, 'bh').map(Number);
        ps.forEach((p, i) => {
          assert.ok((bh[i] as number) >= p - 1e-12 && (holm[i] as number) >= (bh[i] as number) - 1e-12);
          ps.forEach((other, j) => {
            if (p < other) assert.ok((holm[i] as number) <= (holm[j] as number) + 1e-12);
          });
        });
      },
    ),
  );
});
