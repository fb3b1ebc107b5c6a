import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverPauses, type Piece } from '../../../../sites/record/server-pauses.ts';

/** Pieces of so many bytes, each so long after the one before. */
const body = (sizeBytes: number, gapsMs: readonly number[]) => {
  let epochMs = 0;
  const pieces = gapsMs.map((gapMs): Piece => [(epochMs += gapMs), sizeBytes]);
  return { answerEpochMs: 0, pieces, isEventStream: false };
};

test('a body that comes a little at a time is one of a server that sends it so', () => {
  assert.deepEqual(serverPauses([body(100, [0, 50, 50, 50])]), [
    [
      [100, 50],
      [200, 50],
      [300, 50],
    ],
  ]);
});

test('short gaps are the network’s where more came in between than a sender sends unasked, or there are few', () => {
  assert.deepEqual(serverPauses([body(20_000, [0, 50, 50, 50, 50])]), [[]]);
  assert.deepEqual(serverPauses([body(100, [0, 50, 50])]), [[]]);
});

test('a long gap is the server’s, unless the line was busy with another body', () => {
  const paused = body(100, [0, 300]);
  assert.deepEqual(serverPauses([paused]), [[[100, 300]]]);
  assert.deepEqual(serverPauses([paused, body(50_000, [100, 1, 1, 1])])[0], []);
});

test('a body that trickles within a busy page keeps each of its pauses, and one that shares the line has none', () => {
  const busy = body(
    60_000,
    Array.from({ length: 60 }, () => 10),
  );
  const [pauses] = serverPauses([body(300, [0, ...Array.from({ length: 9 }, () => 60)]), busy]);
  assert.deepEqual(
    pauses,
    Array.from({ length: 9 }, (_, index) => [300 * (index + 1), 60]),
  );
  assert.deepEqual(serverPauses([body(8_000, [0, 50, 50, 50, 50]), busy])[0], []);
});
