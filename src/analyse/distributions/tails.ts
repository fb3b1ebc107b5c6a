import { instrumentationOf, type Metric } from '../../core/metrics/metric.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Tail } from '../../core/model/tails.ts';
import { armPairs, type ArmPair } from '../comparison/arm-pairs.ts';
import { comparisonRules } from '../comparison/comparison-rules.ts';
import { pairedValues } from '../comparison/condition-drafts.ts';
import { judgedInsteadOfLoad } from '../comparison/late-paint.ts';
import { armValues, completePairs, type PairedValue } from '../comparison/paired-values.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { pairedSpread, type SpreadChange } from '../statistics/paired-spread.ts';
import { quantileInterval } from '../statistics/quantile-interval.ts';
import { quantileOfSorted } from '../statistics/quantile.ts';

const level = 0.95;
/** How many of the loads are better. */
const shares = [0.75, 0.95];

/** A tail whose p of spread is not adjusted yet. */
type Draft = Omit<Tail, 'spread'> & { readonly spread: SpreadChange | null };

/** How slow the slow loads of each condition are, and whether arms vary alike; of the metric that decides about its workload. */
export function tails(plan: Plan, table: TrialTable): Tail[] {
  const rules = comparisonRules(plan, { instead: judgedInsteadOfLoad(table) });
  const pairs = armPairs(plan).filter(({ primary }) => primary);
  const drafts = [table.conditions, table.recorded].flat().flatMap((trials): Draft[] => {
    const definition = metricDefinition(rules.primaryMetric(trials.kind, trials.condition.workload));
    if (definition === undefined || trials.step !== undefined) return [];
    if (instrumentationOf(definition) !== trials.instrumentation) return [];
    return pairs.flatMap((pair) => draft(trials, pair, definition));
  });
  const adjusted = adjustPValues(
    drafts.map(({ spread }) => spread?.pValue ?? null),
    'holm',
  );
  return drafts.map(({ spread, ...rest }, i) => ({
    ...rest,
    spread: spread === null ? null : { ...spread, adjustedPValue: adjusted[i] ?? 1 },
  }));
}

function draft(trials: ConditionTrials, pair: ArmPair, definition: Metric): Draft[] {
  const values = pairedValues(trials, pair, definition);
  if (values.length === 0) return [];
  const { workload, client, network, server } = trials.condition;
  const { name, unit, higherIsBetter } = definition;
  return [
    {
      workload,
      client,
      network,
      server,
      workloadKind: trials.kind,
      metric: name,
      unit,
      higherIsBetter,
      baseline: { arm: pair.baseline.label, ...tailOf(armValues(values, 'baseline'), higherIsBetter) },
      candidate: { arm: pair.candidate.label, ...tailOf(armValues(values, 'candidate'), higherIsBetter) },
      spread: spreadOf(values, definition),
    },
  ];
}

function tailOf(sample: readonly number[], higherIsBetter: boolean): Omit<Tail['baseline'], 'arm'> {
  const sorted = sample.toSorted((a, b) => a - b);
  return {
    n: sample.length,
    quantiles: shares.map((share) => {
      const quantile = higherIsBetter ? Number((1 - share).toFixed(2)) : share;
      const interval = quantileInterval(sorted, quantile, level);
      return {
        quantile,
        value: interval === null ? null : (quantileOfSorted(sorted, quantile) ?? null),
        interval: interval === null ? null : [...interval],
      };
    }),
  };
}

/** By logarithms where arms are compared by ratio: what makes all loads longer by a share makes none of them vary more. */
function spreadOf(values: readonly PairedValue[], { form }: Metric): SpreadChange | null {
  const pairs = completePairs(values);
  const isRatio = form === 'ratio' && pairs.every(({ baseline, candidate }) => baseline > 0 && candidate > 0);
  const onScale = isRatio ? Math.log : (value: number): number => value;
  return pairedSpread(
    pairs.map(({ baseline, candidate }) => ({ baseline: onScale(baseline), candidate: onScale(candidate) })),
  );
}
