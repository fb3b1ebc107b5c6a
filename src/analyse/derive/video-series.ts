import type { TrialMetrics } from '../../model/metrics.ts';
import type { VideoSession } from '../../model/session.ts';
import { bufferSeries } from './buffer-series.ts';
import { stallsOf } from './stalls.ts';
import { chunkMetrics } from './video-chunks.ts';

/** The series of one DASH session: its chunks, buffer level and network stalls. */
export function videoSeries(session: VideoSession): TrialMetrics {
  const metrics: TrialMetrics = {};
  metrics.chunks = chunkMetrics(session);
  metrics.bufferLevelSeconds = bufferSeries(session);
  metrics.stalls = [...stallsOf(session).network.intervals];
  return metrics;
}
