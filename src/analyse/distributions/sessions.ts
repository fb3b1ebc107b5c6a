import { numericMetric } from '../../core/model/metrics.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { reachedDeadline } from '../comparison/trial-table.ts';

/** Timelines of more sessions than this would make the summary too large for a browser to show. */
const maxSessions = 400;

/**
 * The DASH sessions for the report's timelines, in the plan's order; of very long runs those of the first
 * blocks, and a warning that says so.
 */
export function videoSessions(table: TrialTable): { sessions: Summary['sessions']; warnings: string[] } {
  const all = table.trials.flatMap(({ planned, record }) => {
    // What the player logged is the same in timed trials, and only these are judged.
    if (planned.instrumentation !== 'uninstrumented') return [];
    const chunks = record?.metrics.chunks;
    if (record === undefined || chunks === undefined || !(record.status === 'ok' || reachedDeadline(record)))
      return [];
    const { trialId, blockIndex, arm, workload, client, network } = planned;
    return {
      trialId,
      blockIndex,
      arm,
      workload,
      client,
      network,
      startupDelayMs: numericMetric(record.metrics, 'startupDelayMs') ?? null,
      chunks,
      bufferLevelSeconds: record.metrics.bufferLevelSeconds ?? [],
      stalls: record.metrics.stalls ?? [],
      ...(record.metrics.decodeStalls === undefined ? {} : { decodeStalls: record.metrics.decodeStalls }),
      ...(record.metrics.linkRateMbps === undefined ? {} : { linkRateMbps: record.metrics.linkRateMbps }),
      ...(record.metrics.linkSchedule === undefined ? {} : { linkSchedule: record.metrics.linkSchedule }),
      ...(record.metrics.ladderKbps === undefined ? {} : { ladderKbps: record.metrics.ladderKbps }),
    };
  });
  if (all.length <= maxSessions) return { sessions: all, warnings: [] };
  const warning = `the summary keeps the timelines of ${maxSessions} of ${all.length} sessions, those of the first blocks. The journal has all`;
  const kept = all.toSorted((a, b) => a.blockIndex - b.blockIndex).slice(0, maxSessions);
  return { sessions: kept, warnings: [warning] };
}
