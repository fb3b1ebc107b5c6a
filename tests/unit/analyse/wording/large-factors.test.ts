import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largeFactors, withFactor } from '../../../../src/analyse/wording/large-factors.ts';

test('a half and a double are told by the same factor, and what lies on both sides of no change by none', () => {
  assert.equal(largeFactors([0.5]), 'a factor of 2');
  assert.equal(largeFactors([2]), 'a factor of 2');
  assert.equal(largeFactors([1 / 12, 0.4]), 'a factor of 2.5 to 12');
  for (const ratios of [[0.51], [1.99], [0.4, 2.5], []]) assert.equal(largeFactors(ratios), null);
});

test('times are faster by a factor, rates are so many times the rate', () => {
  assert.equal(withFactor('load {} faster', 'a factor of 3'), 'load faster by a factor of 3');
  assert.equal(withFactor('get {} higher throughput', 'a factor of 3'), 'get 3 times the throughput');
  assert.equal(
    withFactor('get {} lower throughput', 'a factor of 3'),
    'get lower throughput by a factor of 3',
  );
});
