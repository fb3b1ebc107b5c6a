import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossesAreUnequal } from '../../../../src/analyse/comparison/losses.ts';

const unequal = (baselineLost: number, candidateLost: number, ran: number): boolean =>
  lossesAreUnequal({ ran, lost: baselineLost }, { ran, lost: candidateLost });

test('losses are unequal above ten points and above one trial', () => {
  assert.equal(unequal(0, 1, 8), false, 'one trial');
  assert.equal(unequal(0, 2, 8), true, '25 points, two trials');
  assert.equal(unequal(0, 2, 20), false, 'ten points');
  assert.equal(unequal(0, 3, 20), true, 'fifteen points');
  assert.equal(unequal(5, 5, 8), false, 'equal losses');
  assert.equal(unequal(3, 0, 20), true, 'either way round');
});

test('an arm of which nothing ran has no losses to compare', () => {
  assert.equal(lossesAreUnequal({ ran: 0, lost: 0 }, { ran: 8, lost: 8 }), false);
});
