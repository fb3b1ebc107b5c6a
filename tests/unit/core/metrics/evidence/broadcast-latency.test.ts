import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  broadcastLatencyOf,
  broadcastWarnings,
} from '../../../../../src/core/metrics/evidence/broadcast-latency.ts';
import { originEpochMs, videoSession } from '../../../analyse/derive/evidence.ts';

const sample = (
  tMs: number,
  mediaSeconds: number,
): { tMs: number; levelSeconds: number; mediaSeconds: number } => ({
  tMs,
  levelSeconds: 1,
  mediaSeconds,
});

test('latency is the mean time between making and showing, from the first frame to the end', () => {
  const session = videoSession({
    liveStartEpochMs: originEpochMs - 2000,
    bufferSamples: [sample(1000, 0), sample(1400, 0), sample(2400, 1), sample(3600, 2), sample(7500, 6)],
  });
  // 3400, 3400 and 3600 ms behind; before the first frame (1400 ms) and from the end on (7500 ms) nothing counts.
  assert.equal(Math.round(broadcastLatencyOf(session) ?? 0), 3467);
});

test('a session on demand has none, one that showed nothing has null', () => {
  assert.equal(broadcastLatencyOf(videoSession()), undefined);
  assert.equal(
    broadcastLatencyOf(videoSession({ liveStartEpochMs: originEpochMs, firstFrameMs: null })),
    null,
  );
});

test('a broadcast over MoQ has no chunks to warn of and no playhead to ask', () => {
  const relay = { url: 'https://moq.test:4444/' };
  const session = videoSession({ relay, liveStartEpochMs: originEpochMs, livePartSeconds: 1 / 30 });
  assert.equal(broadcastLatencyOf(session), undefined);
  assert.deepEqual(broadcastWarnings(session), []);
});

test('chunks that are sent while they are made are said not to show the throughput of the path', () => {
  assert.deepEqual(broadcastWarnings(videoSession()), []);
  assert.deepEqual(broadcastWarnings(videoSession({ chunkSeconds: 1, livePartSeconds: 1 })), []);
  assert.match(
    broadcastWarnings(videoSession({ chunkSeconds: 2, livePartSeconds: 1 })).join(),
    /chunks of 2 s/,
  );
  const frames = videoSession({ chunkSeconds: 1, livePartSeconds: 1 / 30 });
  assert.match(broadcastWarnings(frames).join(), /in parts of 0\.033 s/);
});
