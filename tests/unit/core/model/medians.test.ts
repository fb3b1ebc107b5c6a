import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediansAgree } from '../../../../src/core/model/medians.ts';

const of = (from: number | null, to: number | null, ratio: number | null, difference = 0): boolean =>
  mediansAgree({ ratio, difference, baseline: { median: from }, candidate: { median: to } });

test('medians stand beside a change only where they say the same change', () => {
  // Time-weighted bitrates of a finding: the blocks changed by −32 %, the medians by −43 %.
  assert.equal(of(4.05, 2.3, 0.68), false);
  assert.equal(of(4.05, 2.76, 0.68), true);
  assert.equal(of(935, 868, 0.925), true);
  // A server's CPU time of a finding: of 2.76 times and 2.71 times a reader makes the same.
  assert.equal(of(2.818, 7.777, 2.71), true);
  assert.equal(of(0.93, 3.917, 4.05), false);
  assert.equal(of(null, 868, 0.925), false);
  assert.equal(of(100, 90, null, -8), true);
  assert.equal(of(100, 110, null, -8), false);
});
