import type { Metric } from '../../core/metrics/metric.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { usableValue } from './trial-table.ts';

/** Trials of one arm that ran, and those of them that are lost to the comparison. */
export interface LossCount {
  readonly ran: number;
  readonly lost: number;
}

/** Records of trials that really ran. */
export function ranRecords(records: Iterable<TrialRecord>): TrialRecord[] {
  return [...records].filter((record) => record.status !== 'not-run');
}

/** Trials without a usable value of one metric: a metric that only one arm often lacks is a loss like any other. */
export function countMetricLosses(ran: readonly TrialRecord[], definition: Metric): LossCount {
  const lost = ran.filter((record) => usableValue(record, definition) === undefined).length;
  return { ran: ran.length, lost };
}
