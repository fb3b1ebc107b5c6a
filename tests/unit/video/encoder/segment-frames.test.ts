import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSteady, segmentFrames } from '../../../../video/encoder/segment-frames.ts';

const ntsc = { framesPerSecond: 30_000 / 1001 };
const framesOf = (framesPerSecond: number, filmSeconds: number, count: number): [number, number][] =>
  Array.from({ length: count }, (_, index) => {
    const cut = { chunkSeconds: 1, filmSeconds, mediaSeconds: 60, ladder: { framesPerSecond } };
    const { first, count: frames } = segmentFrames(cut, index);
    return [first, frames];
  });

test('segments of a whole rate have as many frames each', () => {
  assert.deepEqual(framesOf(30, 2, 4), [
    [0, 30],
    [30, 30],
    [60, 30],
    [90, 30],
  ]);
});

test('a segment begins with the first frame of its second, and a film goes on where it ended', () => {
  const segments = framesOf(ntsc.framesPerSecond, 40, 60);
  assert.deepEqual(segments[33], [990, 29], 'the 34th second has no 30th frame');
  for (const [index, [first, count]] of segments.entries())
    assert.deepEqual(segments[index + 1]?.[0] ?? first + count, first + count);
  const [last = [0, 0]] = segments.slice(-1);
  const endSeconds = (last[0] + last[1]) / ntsc.framesPerSecond;
  assert.ok(endSeconds >= 60 && endSeconds < 60.1, `${endSeconds} s`);
});

test('GOPs at 30000/1001 frames a second are alike for 33 s', () => {
  assert.deepEqual(
    [30, 33, 40].map((seconds) => isSteady({ ...ntsc, gopSeconds: 1 }, seconds)),
    [true, true, false],
  );
  assert.ok(isSteady({ framesPerSecond: 30, gopSeconds: 1 }, 600));
});

test('at every rate a film that is looped to a minute lasts until its end, and ends within what a session is proven to', () => {
  const minute = 60;
  // A session that ends must have been played to 40 ms of its chunks; one that goes on for 50 ms more is stopped at its length.
  const isProven = (beyondSeconds: number): boolean => beyondSeconds <= 0.04 || beyondSeconds > 0.05;
  for (const framesPerSecond of [24_000 / 1001, 25, ntsc.framesPerSecond, 50, 60_000 / 1001]) {
    for (let filmSeconds = 1; filmSeconds <= minute; filmSeconds += filmSeconds < 4 ? 1 : 4) {
      const cut = { chunkSeconds: 1, filmSeconds, mediaSeconds: minute, ladder: { framesPerSecond } };
      const { first, count } = segmentFrames(cut, minute - 1);
      const beyondSeconds = (first + count) / framesPerSecond - minute;
      assert.ok(beyondSeconds > -1e-9 && beyondSeconds < 0.1, `${filmSeconds} s at ${framesPerSecond}`);
      assert.ok(isProven(beyondSeconds), `${filmSeconds} s at ${framesPerSecond}: ${beyondSeconds}`);
    }
  }
});
