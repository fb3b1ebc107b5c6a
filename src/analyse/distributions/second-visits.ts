import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { SecondVisits } from '../../core/model/summary.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { describeSample } from '../statistics/quantile.ts';

/** What second visits had from the first: caches, TLS sessions. In the plan's order; empty without such workloads. */
export function secondVisits(plan: Plan, table: TrialTable): SecondVisits[] {
  const repeats = new Set(plan.workloads.filter(({ view }) => view === 'repeat').map(({ id }) => id));
  return table.conditions
    .filter(({ condition }) => repeats.has(condition.workload))
    .flatMap(({ condition, recordsByArm }) =>
      plan.arms.map(({ label }) => {
        const { workload, client, network, server } = condition;
        const records = [...(recordsByArm.get(label)?.values() ?? [])];
        return { workload, client, network, server, arm: label, ...figures(records) };
      }),
    );
}

function figures(
  records: readonly TrialRecord[],
): Pick<SecondVisits, 'trials' | 'cachedObjectCount' | 'objectCount' | 'resumedHostShare'> {
  const valid = records.filter(({ status }) => status === 'ok');
  const values = (name: string): number[] =>
    valid.flatMap(({ metrics }) => numericMetric(metrics, name) ?? []);
  const shares = values('resumedHostShare');
  return {
    trials: valid.length,
    cachedObjectCount: describeSample(values('cachedObjectCount')).median,
    objectCount: describeSample(values('objectCount')).median,
    resumedHostShare:
      shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length,
  };
}
