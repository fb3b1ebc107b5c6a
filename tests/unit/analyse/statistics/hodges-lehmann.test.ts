import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hodgesLehmann } from '../../../../src/analyse/statistics/hodges-lehmann.ts';
import { walshOrderStatistics } from '../../../../src/analyse/statistics/walsh-averages.ts';
import { wilcoxonSignedRank } from '../../../../src/analyse/statistics/wilcoxon-signed-rank.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { gaussian } from '../../../support/generated-run.ts';

const first = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
const second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

test('the depression data give the estimate 0.46 and the 95 % interval 0.010 to 0.786 as in R', () => {
  // R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE)
  const { estimate, intervals } = hodgesLehmann(
    first.map((value, i) => value - (second[i] as number)),
    [0.95],
  );
  const rounded = [estimate, ...(intervals[0] ?? [])].map((value) => Number(value?.toFixed(3)));
  assert.deepEqual(rounded, [0.46, 0.01, 0.786]);
});

test('below six blocks there is an estimate but no interval', () => {
  const { estimate, intervals } = hodgesLehmann([1, 2, 3, 4, 5], [0.95, 0.9]);
  assert.equal(estimate, 3);
  assert.deepEqual(intervals, [null, null]);
});

test('with six blocks the 95 % interval is the whole range', () => {
  assert.deepEqual(hodgesLehmann([5, 1, 4, 2, 6, 3], [0.95]).intervals[0], [1, 6]);
});

test('a level that the sample cannot reach gives no interval', () => {
  assert.equal(hodgesLehmann([5, 1, 4, 2, 6, 3], [0.99]).intervals[0], null);
});

test('an empty sample has neither', () => {
  assert.deepEqual(hodgesLehmann([], [0.95]), { estimate: null, intervals: [null] });
});

test('a constant sample has an interval of no width', () => {
  assert.deepEqual(hodgesLehmann(Array<number>(8).fill(2), [0.95]), { estimate: 2, intervals: [[2, 2]] });
});

test('searching for a Walsh average gives exactly what sorting all of them gives', () => {
  const sample = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
    minLength: 101,
    maxLength: 130,
  });
  fc.assert(
    fc.property(sample, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const sorted = [...values].sort((a, b) => a - b);
      const sums = sorted.flatMap((a, i) => sorted.slice(i).map((b) => a + b)).sort((a, b) => a - b);
      const k = 1 + Math.floor(share * (sums.length - 1));
      assert.equal(walshOrderStatistics(values)(k) + 0, (sums[k - 1] as number) / 2 + 0);
    }),
    { numRuns: 40 },
  );
});

test('the interval excludes zero exactly when the untied test rejects', () => {
  const sample = fc.uniqueArray(fc.double({ min: -10, max: 14, noNaN: true }), {
    minLength: 6,
    maxLength: 25,
    selector: Math.abs,
  });
  fc.assert(
    fc.property(sample, (values) => {
      // Zero is a tie, and so is half the sum of two of the smallest doubles, which vanishes.
      if (values.some((value) => Math.abs(value) < 1e-290)) return;
      const [low, high] = hodgesLehmann(values, [0.95]).intervals[0] ?? [NaN, NaN];
      assert.equal(low > 0 || high < 0, wilcoxonSignedRank(values).pValue <= 0.05);
    }),
  );
});

test('shifting the sample shifts estimate and interval', () => {
  const sample = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 6, maxLength: 30 });
  fc.assert(
    fc.property(sample, fc.integer({ min: -50, max: 50 }), (values, shift) => {
      const before = hodgesLehmann(values, [0.95]);
      const after = hodgesLehmann(
        values.map((value) => value + shift),
        [0.95],
      );
      assert.equal(after.estimate, (before.estimate as number) + shift);
      assert.deepEqual(
        after.intervals[0],
        before.intervals[0]?.map((bound) => bound + shift),
      );
    }),
  );
});

test('95 % intervals cover the truth in at least 95 % of normal samples, exact and approximate', () => {
  for (const n of [8, 20, 60]) {
    const random = seededRandom(n);
    const covered = Array.from({ length: 2000 }, () => {
      const sample = Array.from({ length: n }, () => gaussian(random));
      const [low, high] = hodgesLehmann(sample, [0.95]).intervals[0] ?? [0, 0];
      return low <= 0 && high >= 0;
    }).filter(Boolean).length;
    // Three standard errors of 2000 draws below 95 %.
    assert.ok(covered / 2000 > 0.935, `n = ${n}: ${covered / 2000}`);
  }
});
