import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minSigns, medianAboveP, medianBelowP } from '../../../../src/analyse/statistics/sign-test.ts';

/** Σ C(n, i) / 2ⁿ from k on. */
function tail(n: number, k: number): number {
  let term = 1;
  let sum = 0;
  for (let i = 0; i <= n; i++) {
    if (i >= k) sum += term;
    term = (term * (n - i)) / (i + 1);
  }
  return sum / 2 ** n;
}

test('the p of a sign test is the tail of the binomial distribution', () => {
  for (const n of [1, 2, 5, 8, 20, 50])
    for (let below = 0; below <= n; below++) {
      const sample = Array.from({ length: n }, (_, index) => (index < below ? 1 : 3));
      const p = medianBelowP(sample, 2) ?? NaN;
      assert.ok(Math.abs(p - tail(n, below)) < 1e-9, `${below} of ${n}: ${p}`);
      assert.ok(Math.abs((medianAboveP(sample, 2) ?? NaN) - tail(n, n - below)) < 1e-9);
    }
});

test('a value at the limit speaks for neither side, and no value gives no p', () => {
  assert.equal(medianBelowP([2, 2], 2), 1);
  assert.equal(medianAboveP([2, 2], 2), 1);
  assert.equal(medianBelowP([], 2), null);
});

test('five values on one side are the fewest that decide at 5 %', () => {
  const values = (n: number): number[] => Array.from({ length: n }, () => 1);
  assert.ok((medianBelowP(values(minSigns), 2) ?? 1) < 0.05);
  assert.ok((medianBelowP(values(minSigns - 1), 2) ?? 0) > 0.05);
});
