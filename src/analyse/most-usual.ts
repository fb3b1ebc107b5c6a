import { numericMetric } from '../model/metrics.ts';
import type { TrialRecord } from '../model/record.ts';
import { describeSample } from './statistics/quantile.ts';

/** The trial whose value of a metric is closest to the median of all: the one to show. A missing value counts as zero. */
export function mostUsual(records: readonly TrialRecord[], metric: string): TrialRecord | undefined {
  const valueOf = ({ metrics }: TrialRecord): number => numericMetric(metrics, metric) ?? 0;
  const middle = describeSample(records.map(valueOf)).median ?? 0;
  const distance = (record: TrialRecord): number => Math.abs(valueOf(record) - middle);
  return records.toSorted((a, b) => distance(a) - distance(b))[0];
}
