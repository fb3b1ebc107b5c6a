import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionSpecSchema } from '../../../../../src/core/model/network-spec.ts';
import { SharedLink } from '../../../../../harness/network/proxy/shared-link.ts';

/** 12 Mbit/s of IP packets are 1448 bytes of payload a millisecond. */
const direction = directionSpecSchema.parse({ rateMbps: 12, queueBytes: 150_000, delayMs: 40 });

test('pieces cross one after the other at the rate, and each arrives its delay later', () => {
  const link = new SharedLink(direction, 80);
  assert.equal(link.send(1448, 100), 100 + 1 + 40);
  assert.equal(link.send(14_480, 100), 100 + 1 + 10 + 40);
  // What comes later than the link is free waits for nothing.
  assert.equal(link.send(1448, 500), 500 + 1 + 40);
  assert.equal(link.send(0, 500), 500 + 1 + 40);
  assert.equal(link.bytes, 1448 + 14_480 + 1448);
});

test('a connection may have a round trip and a queue under way, in pieces of 5 ms', () => {
  const { windowBytes, pieceBytes } = new SharedLink(direction, 80);
  assert.equal(windowBytes, 80 * 1448 + 150_000);
  assert.equal(pieceBytes, 5 * 1448);
  const slow = new SharedLink({ ...direction, rateMbps: 0.1 }, 80);
  assert.deepEqual([slow.pieceBytes, slow.windowBytes >= 64 * 1024], [1448, true]);
});

test('without a rate there is the delay alone', () => {
  const link = new SharedLink({ ...direction, rateMbps: null, queueBytes: null }, 80);
  assert.equal(link.send(1_000_000, 100), 140);
  assert.equal(link.send(1_000_000, 100), 140);
  assert.ok(link.windowBytes > 1_000_000);
});
