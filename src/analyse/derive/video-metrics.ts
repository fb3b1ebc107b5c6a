import type { VideoSession } from '../../core/model/session.ts';
import { bufferSeries, largestGapMs, sparsestMs } from './buffer-series.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { broadcastWarnings } from '../../core/metrics/evidence/broadcast-latency.ts';
import { finiteOrNull } from '../../core/metrics/evidence/numbers.ts';
import type { DerivedPart } from './derived-part.ts';
import { qoeCoefficients } from '../../core/metrics/evidence/qoe.ts';
import type { SegmentVmaf } from '../../core/metrics/evidence/picture-quality.ts';
import { shownFramesOf } from '../../core/metrics/evidence/shown-frames.ts';
import { decodeStallBufferSeconds, stallsOf } from '../../core/metrics/evidence/stalls.ts';
import type { Stalls } from '../../core/metrics/evidence/stalls.ts';
import { unplayablePath } from './unplayable-path.ts';
import { chunkMetrics, playedChunks } from '../../core/metrics/evidence/video-chunks.ts';
import type { PlayedChunk } from '../../core/metrics/evidence/video-chunks.ts';

/** More than this share of frames dropped: the decoder was the limit, not the network. */
const decodeBoundShare = 0.05;

/** The plain metrics of one DASH session; its series are in `video-series.ts`. */
export function videoMetrics(session: VideoSession, vmaf?: SegmentVmaf): DerivedPart {
  const frames = shownFramesOf(session);
  const stalls = stallsOf(session, frames);
  const played = playedChunks(session);
  const chunks = chunkMetrics(session);
  const series = bufferSeries(session);
  const throughputsMbps = chunks.flatMap(({ throughputMbps }) =>
    throughputMbps > 0 ? [throughputMbps] : [],
  );
  const qoe = qoeCoefficients(topBitrateKbps(session, played));
  const switches = switchesOf(played);
  const metrics = evaluate('video', {
    session,
    played,
    chunks,
    throughputsMbps,
    switches,
    stalls,
    frames,
    qoe,
    vmaf,
  });
  return {
    metrics: {
      ...metrics,
      qoeRebufferPenaltyMbps: qoe.rebufferPenaltyMbps,
      playedSeconds: session.playedSeconds,
    },
    warnings: [
      ...(metrics['startupDelayMs'] === null ? ['startupDelayMs: no frame was ever presented'] : []),
      ...(played.length === 0 ? [withoutChunks(session)] : []),
      ...withheldTimes(chunks.length, throughputsMbps.length),
      ...sparseSeries(series),
      ...broadcastWarnings(session),
      ...decodeWarnings(session, stalls),
      ...unplayablePath(session),
    ],
  };
}

function withoutChunks({ relay }: VideoSession): string {
  return relay === undefined
    ? 'bitrate and QoE: no chunk was played'
    : 'bitrate, throughput and QoE: MoQ has no chunks';
}

function switchesOf(played: readonly PlayedChunk[]): readonly PlayedChunk[] {
  return played.filter(({ representation }, index) => {
    const previous = played[index - 1];
    return previous !== undefined && previous.representation !== representation;
  });
}

function topBitrateKbps(session: VideoSession, played: readonly PlayedChunk[]): number {
  const known = [...played, ...(session.ladder ?? [])].map(({ bitrateKbps }) => bitrateKbps);
  return Math.max(0, ...known);
}

function withheldTimes(fetched: number, timed: number): readonly string[] {
  if (fetched === timed) return [];
  return [
    `meanChunkThroughputMbps: ${fetched - timed} of ${fetched} chunks have no times (Timing-Allow-Origin missing?)`,
  ];
}

function sparseSeries(series: readonly (readonly [number, number])[]): readonly string[] {
  const gapMs = largestGapMs(series);
  if (gapMs <= sparsestMs) return [];
  return [`bufferLevelSeconds: samples are up to ${Math.round(gapMs)} ms apart, more than ${sparsestMs} ms`];
}

function decodeWarnings(session: VideoSession, stalls: Stalls): readonly string[] {
  const warnings: string[] = [];
  const decoded = finiteOrNull(session.decodedFrames) ?? 0;
  const dropped = finiteOrNull(session.droppedFrames) ?? 0;
  // `decodedFrames` is getVideoPlaybackQuality().totalVideoFrames, which counts the dropped ones in.
  if (decoded > 0 && dropped / decoded > decodeBoundShare) {
    warnings.push(`decode-bound: ${dropped} of ${decoded} frames were dropped, more than 5 %`);
  }
  if (stalls.decode.intervals.length > 0) {
    warnings.push(
      `decodeStallCount: ${stalls.decode.intervals.length} waits with more than ${decodeStallBufferSeconds} s buffered are not counted as stalls`,
    );
  }
  return warnings;
}
