import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideVerdict } from '../../../../src/analyse/comparison/verdict.ts';

const clear = {
  blocks: 8,
  interval: [0.05, 0.1],
  equivalenceInterval: [0.06, 0.09],
  scaleMargin: 0.03,
  adjustedPValue: 0.008,
  alpha: 0.05,
  higherIsBetter: false,
  veto: null,
} as const;

test('a whole interval beyond the margin with a significant p is worse where less is better', () => {
  assert.deepEqual(decideVerdict(clear), { verdict: 'worse' });
  assert.deepEqual(decideVerdict({ ...clear, higherIsBetter: true }), { verdict: 'better' });
  assert.deepEqual(decideVerdict({ ...clear, interval: [-0.1, -0.05] }), { verdict: 'better' });
});

test('p must be below alpha after adjustment', () => {
  const outcome = decideVerdict({ ...clear, adjustedPValue: 0.05 });
  assert.deepEqual(outcome, { verdict: 'inconclusive', reason: 'not significant after adjustment' });
});

test('the 90 % interval inside the margin is equivalent, however small p is', () => {
  const outcome = decideVerdict({ ...clear, interval: [0.005, 0.031], equivalenceInterval: [0.01, 0.025] });
  assert.deepEqual(outcome, { verdict: 'equivalent' });
});

test('an interval across the margin decides nothing', () => {
  const outcome = decideVerdict({ ...clear, interval: [0.01, 0.1], equivalenceInterval: [0.02, 0.09] });
  assert.deepEqual(outcome, { verdict: 'inconclusive', reason: 'interval crosses the margin' });
});

test('fewer than six blocks decide nothing', () => {
  const few = { ...clear, blocks: 5, interval: null, equivalenceInterval: null };
  assert.match(decideVerdict(few).reason ?? '', /too few blocks/);
  assert.match(decideVerdict({ ...few, blocks: 0 }).reason ?? '', /no block/);
});

test('a veto goes before every figure', () => {
  assert.deepEqual(decideVerdict({ ...clear, veto: 'unequal losses' }), {
    verdict: 'inconclusive',
    reason: 'unequal losses',
  });
});
