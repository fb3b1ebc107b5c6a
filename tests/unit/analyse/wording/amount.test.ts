import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largeFactors, ratioAmount } from '../../../../src/analyse/wording/amount.ts';

test('a half and a double are told by the same factor, and what lies on both sides of no change by none', () => {
  assert.deepEqual(largeFactors([0.5]), { text: 'a factor of 2', factor: '2' });
  assert.deepEqual(largeFactors([2]), { text: 'a factor of 2', factor: '2' });
  assert.deepEqual(largeFactors([1 / 12, 0.4]), { text: 'a factor of 2.5 to 12', factor: '2.5 to 12' });
  for (const ratios of [[0.51], [1.99], [0.4, 2.5], []]) assert.equal(largeFactors(ratios), null);
});

test('what no factor says is told in per cent', () => {
  assert.deepEqual(ratioAmount([1.24]), { text: '24 %' });
  assert.deepEqual(ratioAmount([0.25]), { text: 'a factor of 4', factor: '4' });
});
