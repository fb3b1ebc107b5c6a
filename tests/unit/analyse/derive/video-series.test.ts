import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoSeries } from '../../../../src/analyse/derive/video-series.ts';
import { trialMetricsSchema } from '../../../../src/core/model/metrics.ts';
import { chunk, originEpochMs, videoSession } from './evidence.ts';

const samplesAt = (times: readonly number[]): { tMs: number; levelSeconds: number; mediaSeconds: number }[] =>
  times.map((tMs) => ({ tMs: 1000 + tMs, levelSeconds: tMs / 1000, mediaSeconds: 0 }));
const keptOf = (times: readonly number[]): number[] =>
  (videoSeries(videoSession({ bufferSamples: samplesAt(times) })).bufferLevelSeconds ?? []).map(
    ([tMs]) => tMs,
  );

test('chunk times count from the load call', () => {
  const { chunks } = videoSeries(videoSession({ chunks: [chunk(1, 4000), chunk(0, 1000)] }));
  assert.deepEqual(chunks?.[0], {
    index: 0,
    representation: 'v1000',
    bitrateKbps: 1000,
    durationMs: 2000,
    bytes: 250_000,
    requestStartMs: 100,
    firstByteMs: 120,
    lastByteMs: 200,
    throughputMbps: 20,
    protocol: 'h2',
    bufferLevelSeconds: 4,
  });
  assert.equal(chunks?.[1]?.index, 1);
});

test('buffer samples are thinned to at least 100 ms', () => {
  const every20 = Array.from({ length: 51 }, (_, index) => index * 20);
  assert.deepEqual(keptOf(every20), [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
});

test('a close sample stays when the next would be more than 250 ms away', () => {
  assert.deepEqual(keptOf([0, 90, 300, 340, 500]), [0, 90, 300, 500]);
});

test('a series of 250 ms keeps every sample', () => {
  assert.deepEqual(keptOf([0, 250, 500, 750]), [0, 250, 500, 750]);
});

test('stalls count from the load call, and one without an end lasts until the session ends', () => {
  const stalls = [{ startMs: 6000, endMs: null, mediaSeconds: 3, bufferSeconds: 0 }];
  assert.deepEqual(videoSeries(videoSession({ stalls, endedMs: 8000 })).stalls, [[5000, 7000]]);
  const open = videoSeries(videoSession({ stalls, endedMs: null, bufferSamples: samplesAt([6500]) }));
  assert.deepEqual(open.stalls, [[5000, 6500]]);
});

test('the series have the form that the journal takes', () => {
  const stalls = [{ startMs: 6000, endMs: 6100, mediaSeconds: 3, bufferSeconds: 0 }];
  const series = videoSeries(videoSession({ stalls, bufferSamples: samplesAt([0, 200]) }));
  assert.deepEqual(trialMetricsSchema.parse(JSON.parse(JSON.stringify(series))), series);
});

test('frames of a broadcast have the time of their being seen and their latency, beside the delay that was asked for', () => {
  const session = videoSession({
    loadCallMs: 100,
    liveStartEpochMs: originEpochMs,
    liveDelayTargetMs: 300,
    frames: {
      perSecond: 10,
      count: 2,
      shown: [
        [420, 1],
        [520, 2],
      ],
    },
  });
  assert.deepEqual(videoSeries(session).frames, {
    delayTargetMs: 300,
    shown: [
      [320, 320],
      [420, 320],
    ],
  });
  assert.equal(videoSeries(videoSession()).frames, undefined);
});
