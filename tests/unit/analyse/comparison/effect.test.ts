import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureEffect } from '../../../../src/analyse/comparison/effect.ts';
import type { CompletePair } from '../../../../src/analyse/comparison/paired-values.ts';
import { decideVerdict } from '../../../../src/analyse/comparison/verdict.ts';

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
    'ratio',
    0.03,
    0.05,
  );
  assert.equal(Math.exp(effect.estimate as number).toFixed(9), '1.070000000');
  assert.equal(effect.scaleMargin, Math.log1p(0.03));
  assert.equal(effect.margin, 0.03);
});

test('a ratio metric with a value not above zero is compared by difference with a relative margin', () => {
  const effect = measureEffect(pairs([10, 20, 30], [-1, 20, 33]), 'ratio', 0.02, 0.05);
  assert.equal(effect.form, 'difference');
  assert.equal(effect.margin, 0.4);
  assert.equal(effect.scaleMargin, 0.4);
});

test('no pair gives no estimate', () => {
  const effect = measureEffect([], 'ratio', 0.02, 0.05);
  assert.deepEqual([effect.estimate, effect.interval, effect.cliffsDelta], [null, null, null]);
});

test('exchanging the arms exchanges better and worse and nothing else', () => {
  const value = fc.double({ min: 1, max: 3, noNaN: true });
  const row = fc.tuple(value, value);
  const exchanged = {
    better: 'worse',
    worse: 'better',
    equivalent: 'equivalent',
    mixed: 'mixed',
    inconclusive: 'inconclusive',
  };
  const judge = (rows: readonly CompletePair[], form: 'ratio' | 'difference'): keyof typeof exchanged => {
    const effect = measureEffect(rows, form, 0.3, 0.05);
    return decideVerdict({
      blocks: rows.length,
      interval: effect.interval,
      equivalenceInterval: effect.equivalenceInterval,
      scaleMargin: effect.scaleMargin,
      adjustedPValue: effect.test.pValue,
      alpha: 0.05,
      higherIsBetter: true,
      veto: null,
    }).verdict;
  };
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 15 }),
      fc.constantFrom('ratio' as const, 'difference' as const),
      fc.integer({ min: 1, max: 4 }),
      (rows, form, factor) => {
        const scaled = rows.map(([a, b]): [number, number] => [a, b * factor]);
        const forward = pairs(
          scaled.map(([a]) => a),
          scaled.map(([, b]) => b),
        );
        const backward = pairs(
          scaled.map(([, b]) => b),
          scaled.map(([a]) => a),
        );
        assert.equal(judge(backward, form), exchanged[judge(forward, form)]);
      },
    ),
  );
});

test('a quotient that no number can hold is no ratio', () => {
  const { form, estimate } = measureEffect(
    pairs(Array<number>(7).fill(1e-300), Array<number>(7).fill(1e300)),
    'ratio',
    0.03,
    0.05,
  );
  assert.equal(form, 'difference');
  assert.equal(estimate, 1e300);
});
