import type { TrialMetrics } from '../../core/model/metrics.ts';
import type { VideoSession } from '../../core/model/session.ts';
import { bufferSeries } from './buffer-series.ts';
import { shownFramesOf } from '../../core/metrics/evidence/shown-frames.ts';
import { stallsOf } from '../../core/metrics/evidence/stalls.ts';
import { chunkMetrics } from '../../core/metrics/evidence/video-chunks.ts';

/** Browsers' clocks are no finer. */
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** The series of one DASH session: its chunks, buffer level, waits, the ladder it chose from, and frames of a broadcast. */
export function videoSeries(session: VideoSession): TrialMetrics {
  const metrics: TrialMetrics = {};
  metrics.chunks = chunkMetrics(session);
  metrics.bufferLevelSeconds = bufferSeries(session);
  const frames = shownFramesOf(session);
  const stalls = stallsOf(session, frames);
  metrics.stalls = [...stalls.network.intervals];
  metrics.decodeStalls = [...stalls.decode.intervals];
  metrics.ladderKbps = (session.ladder ?? []).map(({ bitrateKbps }) => bitrateKbps).sort((a, b) => a - b);
  if (frames !== undefined && frames.shown.length > 0)
    metrics.frames = {
      delayTargetMs: session.liveDelayTargetMs ?? 0,
      shown: frames.shown.map(([shownMs, latencyMs]) => [rounded(shownMs), rounded(latencyMs)]),
    };
  return metrics;
}
