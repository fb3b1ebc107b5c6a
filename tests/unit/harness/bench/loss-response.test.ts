import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossBasedMbps, lossResponse } from '../../../../harness/bench/loss-response.ts';

const link = { rateMbps: 20, roundTripMs: 40, lossPercent: 1 };

test('the model of a loss-based sender is segment by round trip by the root of 3/2p', () => {
  // 1448 bytes × 8 ÷ 40 ms = 0.2896 Mbit/s; √(1.5 ÷ 0.01) = 12.247.
  assert.ok(Math.abs(lossBasedMbps(link) - 3.547) < 0.001);
  assert.ok(lossBasedMbps({ ...link, lossPercent: 4 }) < lossBasedMbps(link));
});

test('a sender near the rate of the link ignores losses, one near the model backs off', () => {
  assert.equal(lossResponse(16.6, link).response, 'ignores-loss');
  assert.equal(lossResponse(3.2, link).response, 'backs-off');
  assert.equal(lossResponse(10, link).response, 'between');
});
