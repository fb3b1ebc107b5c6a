import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf } from '../../../../src/core/model/reasons.ts';
import { decideVerdict } from '../../../../src/analyse/comparison/verdict.ts';

const clear = {
  blocks: 8,
  minBlocks: 6,
  side: 1,
  pBeyondMargin: 0.008,
  pBeyondPlainMargin: null,
  pEquivalent: 0.99,
  adjustedPBeyondMargin: 0.016,
  adjustedPEquivalent: 1,
  alpha: 0.05,
  higherIsBetter: false,
  veto: null,
} as const;

test('beyond the margin for certain is worse where less is better', () => {
  assert.deepEqual(decideVerdict(clear), { verdict: 'worse' });
  assert.deepEqual(decideVerdict({ ...clear, higherIsBetter: true }), { verdict: 'better' });
  assert.deepEqual(decideVerdict({ ...clear, side: -1 }), { verdict: 'better' });
});

test('both p must be below the level after adjustment', () => {
  const open = { ...clear, adjustedPBeyondMargin: 0.05 };
  assert.deepEqual(decideVerdict(open), {
    verdict: 'inconclusive',
    reason: { code: 'not-significant', text: 'not significant after adjustment' },
  });
  const inside = { ...clear, pBeyondMargin: 1, adjustedPBeyondMargin: 1, pEquivalent: 0.01 };
  assert.deepEqual(decideVerdict({ ...inside, adjustedPEquivalent: 0.04 }), { verdict: 'equivalent' });
  assert.equal(decideVerdict({ ...inside, adjustedPEquivalent: 0.2 }).verdict, 'inconclusive');
});

test('neither beyond nor within the margin decides nothing', () => {
  const between = { ...clear, pBeyondMargin: 0.3, adjustedPBeyondMargin: 0.3, pEquivalent: 0.4 };
  assert.deepEqual(decideVerdict({ ...between, adjustedPEquivalent: 0.4 }), {
    verdict: 'inconclusive',
    reason: { code: 'crosses-margin', text: 'interval crosses the margin' },
  });
});

test('too few blocks decide nothing, and say how many are too few', () => {
  assert.match(decideVerdict({ ...clear, blocks: 5 }).reason?.text ?? '', /too few blocks \(fewer than 6\)/);
  assert.match(decideVerdict({ ...clear, blocks: 0 }).reason?.text ?? '', /no block/);
});

test('a veto goes before every figure', () => {
  const veto = reasonOf('ladder-saturated');
  assert.deepEqual(decideVerdict({ ...clear, veto }), { verdict: 'inconclusive', reason: veto });
});
