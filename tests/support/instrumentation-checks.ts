import { metricDefinition } from '../../src/core/metrics/registry.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { Summary } from '../../src/core/model/summary.ts';

/** What timed and recorded trials must have alike, however they were instrumented. */
const countedAlike = ['objectCount', 'hostCount'] as const;

/** In a line each: trials that are not valid, and loads of which timed and recorded trials count differently. */
export function countsApart(records: readonly TrialRecord[]): string[] {
  const lost = records
    .filter(({ status }) => status !== 'ok')
    .map(({ trialId, status, reason = '' }) => `${trialId} is ${status}: ${reason}`);
  const loads = Map.groupBy(records, ({ workload, client, arm }) => `${workload}, ${client}, ${arm}`);
  const apart = [...loads].flatMap(([load, ofLoad]) =>
    countedAlike.flatMap((metric) => {
      const seen = (instrumentation: TrialRecord['instrumentation']): unknown[] =>
        ofLoad
          .filter((record) => record.instrumentation === instrumentation)
          .map(({ metrics }) => metrics[metric]);
      const timed = seen('uninstrumented');
      const recorded = seen('instrumented');
      if (timed.length === 0 || recorded.length === 0) return [`${load}: not loaded in both ways`];
      return new Set([...timed, ...recorded]).size === 1
        ? []
        : [`${load}: ${metric} ${timed.join(', ')} timed, ${recorded.join(', ')} recorded`];
    }),
  );
  return [...lost, ...apart];
}

/** In a line each: primary comparisons that found a difference. Of equal arms each is a false alarm. */
export function differencesFound({ comparisons }: Summary): string[] {
  return comparisons
    .filter(
      ({ primary, verdict }) =>
        primary && (verdict === 'better' || verdict === 'worse' || verdict === 'mixed'),
    )
    .map(({ workload, metric, verdict, ratio, pBeyondMargin }) => {
      const title = metricDefinition(metric)?.title ?? metric;
      return `${workload}: ${title} ${verdict}, ratio ${ratio?.toFixed(3)}, p = ${pBeyondMargin?.toPrecision(2)}`;
    });
}
