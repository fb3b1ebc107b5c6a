import assert from 'node:assert/strict';
import { test } from 'node:test';
import { udp, udpBlockedAfterMs } from '../../../../src/core/factors/connecting.ts';

test('UDP is open, blocked from the start, or from so long after the load began', () => {
  assert.deepEqual(
    ['open', 'blocked', 'blocked@500ms'].map((text) => {
      const state = udp.form.read(text);
      return state === undefined ? undefined : udpBlockedAfterMs(state);
    }),
    [null, 0, 500],
  );
});

test('a moment without its unit, of no time or beyond ten seconds is none', () => {
  for (const text of ['blocked@500', 'blocked@0ms', 'blocked@20000ms', 'blocked@-1ms', 'late'])
    assert.equal(udp.form.read(text), undefined, text);
});
