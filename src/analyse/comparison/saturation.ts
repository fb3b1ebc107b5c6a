import type { TrialRecord } from '../../model/record.ts';

/** Metrics that say nothing once both arms play the ladder's top track all the time. */
export const bitrateMetrics: ReadonlySet<string> = new Set([
  'averageChunkBitrateKbps',
  'timeWeightedBitrateKbps',
]);

const saturatedShare = 0.9;
/** The top bitrate went through Mbit/s and back. */
const roundingTolerance = 1e-9;

/**
 * Whether more than 90 % of the chunks in each arm are of the ladder's top track. The top track is the
 * one that the QoE penalty was taken from (it is the ladder's top bitrate in Mbit/s by definition), else the
 * highest that any session of the workload fetched.
 */
export function ladderIsSaturated(
  arms: readonly (readonly TrialRecord[])[],
  workloadRecords: readonly TrialRecord[],
): boolean {
  const top = topBitrateKbps(workloadRecords);
  if (top === undefined) return false;
  return arms.every((records) => {
    const chunks = records.flatMap((record) => record.metrics.chunks ?? []);
    const atTop = chunks.filter((chunk) => chunk.bitrateKbps >= top * (1 - roundingTolerance)).length;
    return chunks.length > 0 && atTop / chunks.length > saturatedShare;
  });
}

function topBitrateKbps(records: readonly TrialRecord[]): number | undefined {
  let top: number | undefined;
  for (const { metrics } of records) {
    const penaltyMbps = metrics['qoeRebufferPenaltyMbps'];
    if (typeof penaltyMbps === 'number') return penaltyMbps * 1000;
    for (const { bitrateKbps } of metrics.chunks ?? []) top = Math.max(top ?? 0, bitrateKbps);
  }
  return top;
}
