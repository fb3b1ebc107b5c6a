import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clockOffsetOf, hasJumped } from '../../../../harness/hosts/far-clock.ts';

test('the true offset lies within the bound, however unlike both ways are', () => {
  const ms = fc.integer({ min: 0, max: 2_000 });
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), ms, ms, ms, (trueOffsetMs, upMs, workMs, downMs) => {
      const askedEpochMs = 1.7e12;
      const heardEpochMs = askedEpochMs + upMs + trueOffsetMs;
      const saidEpochMs = heardEpochMs + workMs;
      const gotEpochMs = askedEpochMs + upMs + workMs + downMs;
      const { offsetMs, boundMs } = clockOffsetOf({ askedEpochMs, heardEpochMs, saidEpochMs, gotEpochMs });
      assert.ok(Math.abs(offsetMs - trueOffsetMs) <= boundMs);
      assert.ok(boundMs <= (upMs + downMs) / 2 + 1);
    }),
  );
});

test('a clock that was set is noticed, one that NTP slews for minutes is not', () => {
  const before = { offsetMs: 5, boundMs: 1 };
  assert.equal(hasJumped(before, { offsetMs: 5 + 500e-6 * 180_000, boundMs: 1 }), false);
  assert.equal(hasJumped(before, { offsetMs: 1005, boundMs: 1 }), true);
  assert.equal(hasJumped(before, { offsetMs: -300, boundMs: 2 }), true);
  // Said long before it was heard: that must not make the bound so wide that nothing is noticed.
  const told = { askedEpochMs: 1000, heardEpochMs: 901_000, saidEpochMs: 1000, gotEpochMs: 1002 };
  assert.equal(hasJumped(before, clockOffsetOf(told)), true);
  assert.equal(hasJumped({ ...before, boundMs: 500 }, { offsetMs: 405, boundMs: 1 }), false);
});
