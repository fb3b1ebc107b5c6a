import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate } from '../../../../src/core/metrics/evaluate.ts';
import type { QueueCounts } from '../../../../src/core/model/link-queue.ts';

const queue = (...sojourns: QueueCounts['sojourns']): QueueCounts => ({
  packets: 0,
  bytes: 0,
  dropped: 0,
  marked: 0,
  tcpEcn: [0, 0, 0, 0],
  udpEcn: [0, 0, 0, 0],
  sojourns,
});

test('an empty queue leaves the round trip of the link', () => {
  const values = evaluate('queue', { roundTripMs: 20, up: queue(), down: queue([0, 64, 100]) });
  assert.deepEqual(values, { loadedRttMs: 20, loadedRttP95Ms: 20, responsivenessRpm: 3000 });
});

test('waits of both ways are met with each other as often as they were counted', () => {
  // 10 ms for one packet in ten one way, 100 ms for half of them the other way.
  const up = queue([0, 64, 90], [9_000, 11_000, 10]);
  const down = queue([0, 64, 50], [90_000, 110_000, 50]);
  const values = evaluate('queue', { roundTripMs: 20, up, down });
  // 45 % wait nowhere, 5 % up alone, 45 % down alone, 5 % both ways.
  assert.deepEqual([values['loadedRttMs'], values['loadedRttP95Ms']], [30, 120]);
  const meanMs = 20 + 0.1 * 10 + 0.5 * 100;
  assert.ok(Math.abs((values['responsivenessRpm'] ?? 0) - 60_000 / meanMs) < 1e-9);
});
