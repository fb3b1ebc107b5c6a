import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hodgesLehmannShift } from '../../../../src/analyse/statistics/hodges-lehmann-shift.ts';
import { mannWhitney } from '../../../../src/analyse/statistics/mann-whitney.ts';
import { seededRandom } from '../../../../src/model/seeded-random.ts';
import { gaussian } from '../../../support/generated-run.ts';

const round = (value: number | undefined): number => Number((value ?? NaN).toFixed(6));

test('the permeability data of Hollander and Wolfe give 0.305 and −0.15 to 0.76 as wilcox.test does in R', () => {
  const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
  const earlier = [1.15, 0.88, 0.9, 0.74, 1.21];
  const { estimate, intervals } = hodgesLehmannShift(earlier, atTerm, [0.95]);
  assert.equal(round(estimate ?? NaN), 0.305);
  assert.deepEqual(intervals[0]?.map(round), [-0.15, 0.76]);
});

test('samples too small for the level have an estimate and no interval; empty ones have neither', () => {
  assert.deepEqual(hodgesLehmannShift([1, 2, 3], [2, 3, 4], [0.95]), { estimate: 1, intervals: [null] });
  assert.deepEqual(hodgesLehmannShift([], [1], [0.95, 0.9]), { estimate: null, intervals: [null, null] });
});

test('the interval leaves out zero exactly when the test rejects, without ties', () => {
  const sample = fc.uniqueArray(fc.double({ min: -100, max: 100, noNaN: true }), {
    minLength: 10,
    maxLength: 20,
  });
  fc.assert(
    fc.property(sample, fc.double({ min: -50, max: 50, noNaN: true }), (values, shift) => {
      const half = Math.floor(values.length / 2);
      const [first, second] = [values.slice(0, half), values.slice(half).map((value) => value + shift)];
      fc.pre(new Set([...first, ...second]).size === values.length);
      const [interval] = hodgesLehmannShift(first, second, [0.95]).intervals;
      const p = mannWhitney(first, second).pValue ?? 1;
      fc.pre(interval !== null && interval !== undefined);
      const leavesOut = (interval?.[0] ?? 0) > 0 || (interval?.[1] ?? 0) < 0;
      assert.equal(leavesOut, p <= 0.05);
    }),
    { seed: 3, numRuns: 300 },
  );
});

test('exact and approximate intervals cover the true shift about as often as they say', () => {
  for (const size of [8, 40]) {
    const random = seededRandom(size);
    const draw = (shift: number): number[] => Array.from({ length: size }, () => gaussian(random) + shift);
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const [interval] = hodgesLehmannShift(draw(0), draw(1), [0.95]).intervals;
      if (interval && interval[0] <= 1 && interval[1] >= 1) covered++;
    }
    assert.ok(covered >= 368 && covered <= 397, `${covered} of 400 at n = ${size}`);
  }
});
