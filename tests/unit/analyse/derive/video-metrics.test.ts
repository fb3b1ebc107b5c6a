import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoMetrics } from '../../../../src/analyse/derive/video-metrics.ts';
import type { VideoSession } from '../../../../src/core/model/session.ts';
import { chunk, videoSession } from './evidence.ts';

test('bitrates, start-up delay and throughput of a session that never switched', () => {
  const { metrics, warnings } = videoMetrics(videoSession());
  assert.equal(metrics['averageChunkBitrateKbps'], 1000);
  assert.equal(metrics['timeWeightedBitrateKbps'], 1000);
  assert.equal(metrics['startupDelayMs'], 400);
  // 250 000 bytes in 100 ms.
  assert.equal(metrics['meanChunkThroughputMbps'], 20);
  assert.equal(metrics['switchCount'], 0);
  assert.ok(!('switchMagnitudeKbps' in metrics));
  assert.equal(metrics['stallCount'], 0);
  assert.ok(!('stallLengthMs' in metrics));
  assert.equal(metrics['stallRatio'], 0);
  assert.equal(metrics['qoeScore'], 1);
  assert.deepEqual(warnings, []);
});

test('switches are counted between consecutive played chunks, with their mean absolute change', () => {
  const chunks = [chunk(0, 1000), chunk(1, 4000), chunk(2, 4000), chunk(3, 2000)];
  const { metrics } = videoMetrics(videoSession({ chunks, playedSeconds: 8 }));
  assert.equal(metrics['switchCount'], 2);
  assert.equal(metrics['switchMagnitudeKbps'], 2500);
  assert.equal(metrics['averageChunkBitrateKbps'], 2750);
});

test('chunks that were fetched but not played count for throughput only', () => {
  const chunks = [chunk(0, 1000), chunk(1, 1000), chunk(2, 4000)];
  const { metrics } = videoMetrics(videoSession({ chunks, playedSeconds: 3 }));
  assert.equal(metrics['averageChunkBitrateKbps'], 1000);
  assert.equal(metrics['switchCount'], 0);
  assert.equal(metrics['meanChunkThroughputMbps'], (20 + 20 + 80) / 3);
});

test('the time-weighted bitrate counts the part of the last chunk that was played', () => {
  const chunks = [chunk(0, 1000), chunk(1, 4000)];
  const { metrics } = videoMetrics(videoSession({ chunks, playedSeconds: 3 }));
  assert.equal(metrics['averageChunkBitrateKbps'], 2500);
  assert.equal(metrics['timeWeightedBitrateKbps'], (2 * 1000 + 1 * 4000) / 3);
});

test('of a chunk fetched twice the later one was played', () => {
  const later = chunk(1, 4000, { requestStartMs: 9000, responseEndMs: 9100 });
  const { metrics } = videoMetrics(
    videoSession({ chunks: [chunk(0, 4000), later, chunk(1, 1000)], playedSeconds: 4 }),
  );
  assert.equal(metrics['averageChunkBitrateKbps'], 4000);
});

test('waits with media ahead are decode stalls, apart from network stalls', () => {
  const stalls = [
    { startMs: 3000, endMs: 3500, mediaSeconds: 1, bufferSeconds: 0.1 },
    { startMs: 5000, endMs: 5200, mediaSeconds: 2, bufferSeconds: 3 },
    { startMs: 7000, endMs: null, mediaSeconds: 3, bufferSeconds: 0.5 },
  ];
  const { metrics, warnings } = videoMetrics(videoSession({ stalls, endedMs: 8000 }));
  assert.equal(metrics['stallCount'], 2);
  assert.equal(metrics['stallTotalMs'], 1500);
  assert.equal(metrics['stallLengthMs'], 500);
  assert.equal(metrics['stallRatio'], 1500 / 7500);
  assert.equal(metrics['decodeStallCount'], 1);
  assert.equal(metrics['decodeStallTotalMs'], 200);
  assert.match(warnings.join(), /decodeStallCount: 1 waits with more than 0\.5 s buffered/);
});

test('more than 5 % dropped frames are decode-bound', () => {
  const at = (droppedFrames: number): string => videoMetrics(videoSession({ droppedFrames })).warnings.join();
  assert.equal(at(9), '');
  assert.match(at(10), /^decode-bound: 10 of 180 frames/);
});

test('QoE is utility less rebuffering and switches per chunk, in Mbit/s', () => {
  const chunks = [chunk(0, 1000), chunk(1, 4000)];
  const stalls = [{ startMs: 3000, endMs: 3500, mediaSeconds: 1, bufferSeconds: 0 }];
  const { metrics } = videoMetrics(videoSession({ chunks, stalls, playedSeconds: 4 }));
  // The ladder's top is 4 Mbit/s: (1 + 4 − 4 × 0.5 − 3) / 2.
  assert.equal(metrics['qoeScore'], 0);
  assert.equal(metrics['qoeRebufferPenaltyMbps'], 4);
});

test('a session that showed nothing has nulls and says why', () => {
  const { metrics, warnings } = videoMetrics(
    videoSession({ chunks: [], firstFrameMs: null, playedSeconds: 0 }),
  );
  assert.equal(metrics['startupDelayMs'], null);
  assert.equal(metrics['averageChunkBitrateKbps'], null);
  assert.equal(metrics['qoeScore'], null);
  assert.equal(metrics['stallRatio'], null);
  assert.match(warnings.join('\n'), /no frame was ever presented[^]*no chunk was played/);
});

test('chunks without times are left out of the throughput, with a warning', () => {
  const withheld = chunk(1, 4000, { requestStartMs: 0, responseStartMs: 0 });
  const { metrics, warnings } = videoMetrics(videoSession({ chunks: [chunk(0, 1000), withheld] }));
  assert.equal(metrics['meanChunkThroughputMbps'], 20);
  assert.match(warnings.join(), /1 of 2 chunks have no times/);
});

test('mean VMAF is that of the segments that were played, by seconds on the screen, or is not known', () => {
  const chunks = [chunk(0, 1000), chunk(1, 4000)];
  const vmaf = { chunkSeconds: 2, segments: { v1000: [40, 50], v4000: [80, 91] } };
  const of = (known: typeof vmaf | undefined, playedSeconds: number): unknown =>
    videoMetrics(videoSession({ chunks, playedSeconds }), known).metrics['meanVmaf'];
  assert.equal(of(vmaf, 4), 65.5);
  assert.equal(of(vmaf, 3), 57, 'two seconds of 40 and one of 91');
  assert.equal(of(undefined, 4), null);
  assert.equal(of({ ...vmaf, segments: { ...vmaf.segments, v4000: [80] } }, 4), null);
});

test('the QoE score by VMAF is the mean less changes of quality, and a second of stall costs the best of a chunk', () => {
  const chunks = [chunk(0, 1000), chunk(1, 4000)];
  const vmaf = { chunkSeconds: 2, segments: { v1000: [40, 50], v4000: [80, 90] } };
  const smooth = videoSession({ chunks, playedSeconds: 4 });
  const stalls = [{ startMs: 3000, endMs: 3500, mediaSeconds: 2, bufferSeconds: 0 }];
  const of = (session: VideoSession, known?: typeof vmaf): unknown =>
    videoMetrics(session, known).metrics['qoeVmaf'];
  assert.equal(of(smooth, vmaf), 65 - 50 / 2);
  assert.equal(of({ ...smooth, stalls }, vmaf), 65 - (50 + 50) / 2);
  assert.equal(of(smooth), null);
});
