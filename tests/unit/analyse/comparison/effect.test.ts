import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureEffect } from '../../../../src/analyse/comparison/effect.ts';
import type { CompletePair } from '../../../../src/analyse/comparison/paired-values.ts';
import { locationTests } from '../../../../src/analyse/statistics/location-test.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';

const signedRank = locationTests['signed-rank'];

const pairs = (baseline: readonly number[], candidate: readonly number[]): CompletePair[] =>
  baseline.map((value, blockIndex) => ({
    blockIndex,
    baseline: value,
    candidate: candidate[blockIndex] as number,
  }));

test('a constant ratio is found exactly, on the logarithmic scale', () => {
  const baseline = [100, 120, 90, 300, 80, 110, 95, 105];
  const effect = measureEffect(
    pairs(
      baseline,
      baseline.map((value) => value * 1.07),
    ),
    { form: 'ratio', margin: 0.03 },
    signedRank,
  );
  assert.equal(Math.exp(effect.estimate as number).toFixed(9), '1.070000000');
  assert.equal(effect.scaleMargin, Math.log1p(0.03));
  assert.equal(effect.margin, 0.03);
});

test('a ratio metric with a value not above zero is compared by difference, with the margin a share of the median of both arms', () => {
  const effect = measureEffect(
    pairs([10, 20, 30], [-1, 20, 33]),
    { form: 'ratio', margin: 0.02 },
    signedRank,
  );
  assert.equal(effect.form, 'difference');
  assert.equal(effect.margin, 0.4);
  assert.equal(effect.scaleMargin, 0.4);
});

test('what recording may have made widens the margin of a metric that is mostly zero, by a share of its largest value', () => {
  const rows = pairs([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 5, 20]);
  const plain = measureEffect(rows, { form: 'ratio', margin: 0.02 }, signedRank);
  const watched = measureEffect(rows, { form: 'ratio', margin: 0.02, overhead: Math.log(1.5) }, signedRank);
  const added = watched.scaleMargin - plain.scaleMargin;
  assert.ok(Math.abs(added - 0.5 * 20) < 1e-9, String(added));
  assert.ok(Math.abs(plain.equivalenceMargin - watched.equivalenceMargin - added) < 1e-9);
  assert.notEqual(watched.pBeyondPlainMargin, null);
});

test('no pair gives no estimate', () => {
  const effect = measureEffect([], { form: 'ratio', margin: 0.02 }, signedRank);
  assert.deepEqual([effect.estimate, effect.margins, effect.cliffsDelta], [null, null, null]);
});

test('exchanging the arms changes no p, not even where values tie, and turns the side', () => {
  const value = fc.oneof(fc.double({ min: 1, max: 3, noNaN: true }), fc.integer({ min: 40, max: 44 }));
  const rows = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 15 });
  const form = fc.constantFrom('ratio' as const, 'difference' as const);
  const name = fc.constantFrom('signed-rank' as const, 't' as const);
  fc.assert(
    fc.property(rows, form, name, fc.integer({ min: 1, max: 4 }), (values, asForm, test, factor) => {
      const first = values.map(([a]) => a);
      const second = values.map(([, b]) => b * factor);
      const [forward, backward] = [pairs(first, second), pairs(second, first)].map(
        (all) => measureEffect(all, { form: asForm, margin: 0.03 }, locationTests[test]).margins,
      );
      assert.equal(forward?.pValue, backward?.pValue);
      assert.equal(forward?.pBeyondMargin, backward?.pBeyondMargin);
      assert.equal(forward?.pEquivalent, backward?.pEquivalent);
      if ((forward?.pBeyondMargin ?? 1) < 0.5) assert.equal(forward?.side, -(backward?.side ?? 0));
    }),
  );
});

test('an A/A count of 42 or 43 has p < 0.05 no more often than exact ties allow', () => {
  const random = seededRandom(42);
  let alarms = 0;
  for (let run = 0; run < 500; run++) {
    const draw = (): number[] => Array.from({ length: 12 }, () => 42 + random.integer(2));
    const { margins } = measureEffect(pairs(draw(), draw()), { form: 'ratio', margin: 0.03 }, signedRank);
    if ((margins?.pValue ?? 1) < 0.05) alarms++;
  }
  assert.ok(alarms <= 25, `${alarms} of 500`);
});

test('a quotient that no number can hold is compared by its logarithm', () => {
  const { form, estimate } = measureEffect(
    pairs(Array<number>(7).fill(1e-300), Array<number>(7).fill(1e300)),
    { form: 'ratio', margin: 0.03 },
    signedRank,
  );
  assert.equal(form, 'ratio');
  assert.ok(Math.abs((estimate ?? 0) - 600 * Math.LN10) < 1e-9);
});
