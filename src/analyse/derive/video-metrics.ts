import type { VideoSession } from '../../model/session.ts';
import { bufferSeries, largestGapMs, sparsestMs } from './buffer-series.ts';
import { fairnessMetrics } from './fairness.ts';
import { liveLatency, liveWarnings } from './live-latency.ts';
import { elapsedMs, finiteOrNull, mean, sum } from './part.ts';
import type { DerivedPart } from './part.ts';
import { bitrateChangesKbps, qoeCoefficients, qoeScore } from './qoe.ts';
import { decodeStallBufferSeconds, stallsOf } from './stalls.ts';
import type { Stalls } from './stalls.ts';
import { chunkMetrics, playedChunks } from './video-chunks.ts';
import type { PlayedChunk } from './video-chunks.ts';

/** More than this share of frames dropped: the decoder was the limit, not the network. */
const decodeBoundShare = 0.05;

/** The plain metrics of one DASH session; its series are in `video-series.ts`. */
export function videoMetrics(session: VideoSession): DerivedPart {
  const stalls = stallsOf(session);
  const played = playedChunks(session);
  const chunks = chunkMetrics(session);
  const series = bufferSeries(session);
  const throughputs = chunks.flatMap(({ throughputMbps }) => (throughputMbps > 0 ? [throughputMbps] : []));
  const startupDelayMs = elapsedMs(Math.max(session.loadCallMs, Number.MIN_VALUE), session.firstFrameMs);
  return {
    metrics: {
      startupDelayMs,
      ...bitrateMetrics(played),
      meanChunkThroughputMbps: mean(throughputs),
      ...stallMetrics(stalls, session.playedSeconds),
      decodedFrames: finiteOrNull(session.decodedFrames),
      droppedFrames: finiteOrNull(session.droppedFrames),
      ...qoeMetrics(session, played, stalls),
      ...fairnessMetrics(session),
      ...liveLatency(session),
    },
    warnings: [
      ...(startupDelayMs === null ? ['startupDelayMs: no frame was ever presented'] : []),
      ...(played.length === 0 ? ['bitrate and QoE: no chunk was played'] : []),
      ...withheldTimes(chunks.length, throughputs.length),
      ...sparseSeries(series),
      ...liveWarnings(session),
      ...decodeWarnings(session, stalls),
    ],
  };
}

function bitrateMetrics(played: readonly PlayedChunk[]): Record<string, number | null> {
  const bitrates = played.map(({ bitrateKbps }) => bitrateKbps);
  const playedSeconds = sum(played.map((chunk) => chunk.playedSeconds));
  const weighted = sum(played.map((chunk) => chunk.bitrateKbps * chunk.playedSeconds));
  const switches = played.filter(({ representation }, index) => {
    const previous = played[index - 1];
    return previous !== undefined && previous.representation !== representation;
  });
  const magnitude = switches.length === 0 ? null : sum(bitrateChangesKbps(bitrates)) / switches.length;
  return {
    averageChunkBitrateKbps: mean(bitrates),
    timeWeightedBitrateKbps: playedSeconds > 0 ? weighted / playedSeconds : null,
    switchCount: switches.length,
    // Absent, not null, where nothing was switched: there is no magnitude then.
    ...(magnitude === null ? {} : { switchMagnitudeKbps: magnitude }),
  };
}

/** `stallRatio` is stall time ÷ (stall time + play time). */
function stallMetrics({ network, decode }: Stalls, playedSeconds: number): Record<string, number | null> {
  const watchedMs = playedSeconds * 1000 + network.totalMs;
  return {
    stallCount: network.intervals.length,
    stallTotalMs: network.totalMs,
    stallRatio: watchedMs > 0 ? network.totalMs / watchedMs : null,
    decodeStallCount: decode.intervals.length,
    decodeStallTotalMs: decode.totalMs,
  };
}

function qoeMetrics(
  session: VideoSession,
  played: readonly PlayedChunk[],
  stalls: Stalls,
): Record<string, number | null> {
  const bitrates = played.map(({ bitrateKbps }) => bitrateKbps);
  const topKbps = Math.max(0, ...bitrates, ...(session.ladder ?? []).map(({ bitrateKbps }) => bitrateKbps));
  const coefficients = qoeCoefficients(topKbps);
  return {
    qoeScore: qoeScore(bitrates, stalls.network.totalMs, coefficients),
    qoeRebufferPenaltyMbps: coefficients.rebufferPenaltyMbps,
  };
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
