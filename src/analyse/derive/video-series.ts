import type { TrialMetrics } from '../../model/metrics.ts';
import type { VideoSession } from '../../model/session.ts';
import { bufferSeries } from './buffer-series.ts';
import { stallsOf } from '../../metrics/evidence/stalls.ts';
import { chunkMetrics } from '../../metrics/evidence/video-chunks.ts';

/** The series of one DASH session: its chunks, buffer level, waits, and the ladder it chose from. */
export function videoSeries(session: VideoSession): TrialMetrics {
  const metrics: TrialMetrics = {};
  metrics.chunks = chunkMetrics(session);
  metrics.bufferLevelSeconds = bufferSeries(session);
  const stalls = stallsOf(session);
  metrics.stalls = [...stalls.network.intervals];
  metrics.decodeStalls = [...stalls.decode.intervals];
  metrics.ladderKbps = (session.ladder ?? []).map(({ bitrateKbps }) => bitrateKbps).sort((a, b) => a - b);
  return metrics;
}
