import type { TrialRecord } from '../../core/model/record.ts';

/** Metrics that say nothing once both arms play the ladder's top track all the time. */
export const bitrateMetrics: ReadonlySet<string> = new Set([
  'averageChunkBitrateKbps',
  'timeWeightedBitrateKbps',
]);

const saturatedShare = 0.9;

/**
 * Whether more than 90 % of the chunks in each arm are of the ladder's top track. Journals older than the ladder's
 * record tell only the highest track that any session of the workload fetched.
 */
export function ladderIsSaturated(
  arms: readonly (readonly TrialRecord[])[],
  workloadRecords: readonly TrialRecord[],
): boolean {
  const top = topBitrateKbps(workloadRecords);
  if (top === undefined) return false;
  return arms.every((records) => {
    const chunks = records.flatMap((record) => record.metrics.chunks ?? []);
    const atTop = chunks.filter((chunk) => chunk.bitrateKbps >= top).length;
    return chunks.length > 0 && atTop / chunks.length > saturatedShare;
  });
}

function topBitrateKbps(records: readonly TrialRecord[]): number | undefined {
  const rates = records.flatMap(({ metrics }) => [
    ...(metrics.ladderKbps ?? []),
    ...(metrics.chunks ?? []).map(({ bitrateKbps }) => bitrateKbps),
  ]);
  return rates.length === 0 ? undefined : rates.reduce((top, rate) => Math.max(top, rate));
}
