import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownFramesOf } from '../../../../../src/core/metrics/evidence/shown-frames.ts';
import { stallsOf } from '../../../../../src/core/metrics/evidence/stalls.ts';
import type { VideoSession } from '../../../../../src/core/model/session.ts';
import { framesBehindPlayhead } from '../../../../support/frames-behind-playhead.ts';
import { originEpochMs, videoSession } from '../../../analyse/derive/evidence.ts';

/** A broadcast of ten frames a second that began with the page; `shown` are times and numbers. */
const broadcast = (shown: [number, number][], count = shown.at(-1)?.[1] ?? 0): VideoSession =>
  videoSession({
    loadCallMs: 0,
    endedMs: 2000,
    liveStartEpochMs: originEpochMs,
    frames: { perSecond: 10, count, shown },
  });

test('latency is from the making of a frame to its being seen', () => {
  const frames = shownFramesOf(
    broadcast([
      [150, 1],
      [230, 2],
      [390, 3],
    ]),
  ); // made after 100, 200 and 300 ms
  assert.deepEqual(frames?.latenciesMs.map(Math.round), [30, 50, 90]);
  assert.deepEqual([frames.lost, frames.late, frames.stalls.totalMs], [0, 0, 0]);
});

test('frames that were never seen are lost, and one far behind the usual is late', () => {
  const frames = shownFramesOf(
    broadcast([
      [150, 1],
      [250, 2],
      [450, 4],
      [550, 5],
      [751, 6],
    ]),
  );
  assert.deepEqual([frames?.lost, frames?.late], [1, 1]);
});

test('a picture that stops is a stall, but for the time of its own frame', () => {
  const session = broadcast([
    [150, 1],
    [250, 2],
    [651, 6],
    [750, 7],
  ]);
  assert.deepEqual(shownFramesOf(session)?.stalls.intervals, [[350, 651]]);
  const waits = { startMs: 0, endMs: 500, mediaSeconds: 0, bufferSeconds: 0 };
  assert.deepEqual(stallsOf({ ...session, stalls: [waits] }).network.totalMs, 301);
});

test('a number that does not go up is no new frame', () => {
  const frames = shownFramesOf(
    broadcast([
      [150, 1],
      [160, 3],
      [170, 2],
      [250, 4],
    ]),
  );
  assert.deepEqual([frames?.latenciesMs.length, frames?.lost], [3, 1]);
});

test('a picture that stops to the end is a stall, and what was to come is lost', () => {
  const shown: [number, number][] = [
    [150, 1],
    [250, 2],
  ];
  const frames = shownFramesOf(broadcast(shown, 10));
  assert.deepEqual([frames?.lost, frames?.stalls.intervals], [8, [[350, 2000]]]);
});

test('a picture that waits while the buffer fills belongs to the start-up', () => {
  const frames = shownFramesOf(
    broadcast([
      [150, 1],
      [1250, 2],
      [1350, 3],
      [1450, 4],
    ]),
  );
  assert.equal(frames?.movesFromMs, 1250);
  assert.deepEqual(
    [frames.stalls.totalMs, frames.lost, frames.latenciesMs.map(Math.round)],
    [0, 0, [1050, 1050, 1050]],
  );
});

test('a session without numbered pictures has none, one that showed nothing has no latency', () => {
  assert.equal(shownFramesOf(videoSession()), undefined);
  const nothing = shownFramesOf(broadcast([]));
  assert.deepEqual(
    [nothing?.latenciesMs, nothing?.lost, nothing?.late, nothing?.movesFromMs],
    [[], 0, 0, null],
  );
});

const playheadAt = (tMs: number, mediaMs: number): VideoSession['bufferSamples'][number] => ({
  tMs,
  levelSeconds: 1,
  mediaSeconds: mediaMs / 1000,
});

const steady: [number, number][] = [
  [150, 1],
  [250, 2],
  [350, 3],
  [450, 4],
];

test('a picture is compared with the frame that the playhead names', () => {
  // Frame 1 has the media time 0 to 100 ms.
  const samplesAt = (laterMs: number): VideoSession['bufferSamples'] =>
    [200, 300, 400].map((tMs) => playheadAt(tMs, tMs - 150 + laterMs));
  const behind = (laterMs: number): number | undefined =>
    framesBehindPlayhead({ ...broadcast(steady), bufferSamples: samplesAt(laterMs) });
  assert.deepEqual([behind(0), behind(100), behind(210), behind(-100)], [0, 1, 2, -1]);
});

test('without numbered pictures, or where no playhead can be asked, there is nothing to compare', () => {
  assert.equal(framesBehindPlayhead(videoSession()), undefined);
  assert.equal(framesBehindPlayhead({ ...broadcast(steady), relay: { url: 'https://relay/' } }), undefined);
  assert.equal(framesBehindPlayhead({ ...broadcast(steady), bufferSamples: [] }), undefined);
});
