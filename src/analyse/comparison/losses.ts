import type { MetricDefinition } from '../../model/metrics.ts';
import type { TrialRecord } from '../../model/record.ts';
import { reachedDeadline, usableValue } from './trial-table.ts';

/** Trials of one arm that ran, and those of them that are lost to the comparison. */
export interface LossCount {
  readonly ran: number;
  readonly lost: number;
}

const largestShareDifference = 0.1;
const largestCountDifference = 1;

/** Records of trials that really ran. */
export function ranRecords(records: Iterable<TrialRecord>): TrialRecord[] {
  return [...records].filter((record) => record.status !== 'not-run');
}

/** Trials that are neither ok nor ended by their deadline. */
export function countStatusLosses(ran: readonly TrialRecord[]): LossCount {
  const lost = ran.filter((record) => record.status !== 'ok' && !reachedDeadline(record)).length;
  return { ran: ran.length, lost };
}

/** Trials without a usable value of one metric: a metric that only one arm often lacks is a loss like any other. */
export function countMetricLosses(ran: readonly TrialRecord[], definition: MetricDefinition): LossCount {
  const lost = ran.filter((record) => usableValue(record, definition) === undefined).length;
  return { ran: ran.length, lost };
}

/** Whether the arms lost so differently (over 10 points and over one trial) that a comparison would mislead. */
export function lossesAreUnequal(baseline: LossCount, candidate: LossCount): boolean {
  if (baseline.ran === 0 || candidate.ran === 0) return false;
  const shareDifference = Math.abs(baseline.lost / baseline.ran - candidate.lost / candidate.ran);
  const countDifference = Math.abs(baseline.lost - candidate.lost);
  return shareDifference > largestShareDifference + 1e-12 && countDifference > largestCountDifference;
}
