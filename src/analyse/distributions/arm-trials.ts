import type { ArmSpread } from '../../core/model/arm-spread.ts';
import { numericMetric, type TrialMetrics } from '../../core/model/metrics.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { describeSample } from '../statistics/quantile.ts';

/** What is spread: the series of a kind of workload, and the metric by which the trial that is shown is chosen. */
interface SpreadSeries {
  readonly kind: WorkloadKind;
  readonly series: 'messages' | 'frames';
  readonly shownBy: string;
}

/** The valid trials of an arm in one condition that have the series. */
export interface ArmTrials {
  readonly place: Omit<ArmSpread, 'quantilesMs'>;
  readonly metrics: readonly TrialMetrics[];
  /** Those of the trial to show. */
  readonly usual: TrialMetrics;
}

/** The trials of each condition and arm, in the order of the arms; an arm without any is left out. */
export function trialsByArm(
  arms: readonly Arm[],
  { conditions }: TrialTable,
  { kind, series, shownBy }: SpreadSeries,
): ArmTrials[] {
  return conditions
    .filter((trials) => trials.kind === kind)
    .flatMap(({ condition, recordsByArm }) =>
      arms.flatMap(({ label: arm }) => {
        const records = [...(recordsByArm.get(arm)?.values() ?? [])].filter(
          ({ status, metrics }) => status === 'ok' && metrics[series] !== undefined,
        );
        const usual = commonestOf(records, shownBy);
        if (usual === undefined) return [];
        const { workload, client, network, server } = condition;
        const { blockIndex } = usual;
        const place = { workload, client, network, server, arm, trials: records.length, blockIndex };
        return [{ place, metrics: records.map(({ metrics }) => metrics), usual: usual.metrics }];
      }),
    );
}

/** The trial whose value of a metric is closest to the median of all. A missing value counts as zero. */
function commonestOf(records: readonly TrialRecord[], metric: string): TrialRecord | undefined {
  const valueOf = ({ metrics }: TrialRecord): number => numericMetric(metrics, metric) ?? 0;
  const middle = describeSample(records.map(valueOf)).median ?? 0;
  const distance = (record: TrialRecord): number => Math.abs(valueOf(record) - middle);
  return records.toSorted((a, b) => distance(a) - distance(b))[0];
}
