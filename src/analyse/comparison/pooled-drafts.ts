import { metricsOfKind } from '../../model/metric-catalogue.ts';
import type { MetricDefinition } from '../../model/metrics.ts';
import { geometricMean } from '../statistics/geometric-mean.ts';
import { counted } from '../wording/figures.ts';
import type { ArmPair } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import { poolKey } from './comparison-rules.ts';
import type { PairRecords } from './condition-drafts.ts';
import { isMeasured, lossVeto, pairedValues, recordsOfPair, trialWarnings } from './condition-drafts.ts';
import type { ComparisonDraft } from './draft.ts';
import { draftComparison } from './draft.ts';
import type { CompletePair, PairedValue } from './paired-values.ts';
import { completePairs } from './paired-values.ts';
import type { ConditionTrials } from './trial-table.ts';

/** Blocks with a smaller share of their workloads are left out of the pooled comparison. */
export const smallestBlockShare = 0.9;

/** Workload name of a pooled comparison. */
export const pooledWorkload = 'pooled';

/** The conditions of each pool, one entry per kind × client × network × server that is pooled. */
export function poolsOf(conditions: readonly ConditionTrials[], rules: ComparisonRules): ConditionTrials[][] {
  const pools = new Map<string, ConditionTrials[]>();
  for (const trials of conditions) {
    if (!rules.isPooled(trials.kind, trials.condition)) continue;
    const key = poolKey(trials.kind, trials.condition);
    pools.set(key, [...(pools.get(key) ?? []), trials]);
  }
  return [...pools.values()];
}

/**
 * Pooled drafts of every ratio metric: per block the geometric mean over the workloads valid in both arms,
 * for each arm, whose quotient is the geometric mean of the ratios.
 */
export function draftPool(
  pool: readonly ConditionTrials[],
  pair: ArmPair,
  rules: ComparisonRules,
): ComparisonDraft[] {
  const [first] = pool;
  if (first === undefined) return [];
  const { client, network, server } = first.condition;
  const members = pool.map((trials) => ({ trials, records: recordsOfPair(trials, pair) }));
  const records: PairRecords = {
    baseline: members.flatMap((member) => member.records.baseline),
    candidate: members.flatMap((member) => member.records.candidate),
  };
  return metricsOfKind(first.kind).flatMap((definition) => {
    const primary = rules.primaryMetric(first.kind) === definition.name;
    const having = members.filter((member) => primary || isMeasured(member.records, definition));
    if (definition.form !== 'ratio' || (!primary && having.length < 2)) return [];
    const { values, warnings } = poolValues(
      having.map(({ trials }) => completePairs(pairedValues(trials, pair, definition))),
      pool,
      definition,
    );
    return draftComparison({
      subject: { workload: pooledWorkload, workloadKind: first.kind, client, network, server },
      definition,
      labels: { baseline: pair.baseline.label, candidate: pair.candidate.label },
      values,
      margin: rules.margin(definition),
      alpha: rules.alpha,
      primary: pair.primary && primary,
      veto: lossVeto(records, definition),
      warnings: [
        ...trialWarnings(records, definition),
        ...unmeasuredWarning(having.length, pool.length),
        ...warnings,
      ],
    });
  });
}

function unmeasuredWarning(having: number, all: number): string[] {
  return having === all
    ? []
    : [`pooled over ${having} of ${all} workloads: the others have no value of this metric`];
}

/** One row per block: the geometric means of the two arms over the workloads that both have. */
function poolValues(
  pairsByWorkload: readonly (readonly CompletePair[])[],
  pool: readonly ConditionTrials[],
  definition: MetricDefinition,
): { values: PairedValue[]; warnings: string[] } {
  const pairsByBlock = new Map<number, CompletePair[]>();
  let notPositive = 0;
  for (const pair of pairsByWorkload.flat()) {
    if (pair.baseline > 0 && pair.candidate > 0) {
      const inBlock = pairsByBlock.get(pair.blockIndex) ?? [];
      inBlock.push(pair);
      pairsByBlock.set(pair.blockIndex, inBlock);
    } else notPositive++;
  }
  const values: PairedValue[] = [];
  const thin: number[] = [];
  for (const [block, pairs] of [...pairsByBlock].sort(([a], [b]) => a - b)) {
    if (pairs.length < smallestBlockShare * pairsByWorkload.length) thin.push(block);
    else {
      const mean = (arm: 'baseline' | 'candidate'): number => geometricMean(pairs.map((pair) => pair[arm]));
      values.push([block, mean('baseline'), mean('candidate')]);
    }
  }
  const warnings: string[] = [];
  if (thin.length > 0) {
    warnings.push(
      `${counted(thin.length, 'block')} left out of the pool, fewer than 90 % of their ${pairsByWorkload.length} workloads are valid: block ${thin.slice(0, 5).join(', ')}`,
    );
  }
  if (notPositive > 0) {
    warnings.push(
      `${counted(notPositive, 'pair')} of ${definition.title} left out: not above zero, no ratio`,
    );
  }
  const emptyBlocks = new Set(pool.flatMap((trials) => trials.blocks)).size - values.length - thin.length;
  if (emptyBlocks > 0)
    warnings.push(`${counted(emptyBlocks, 'block')} without any workload valid in both arms`);
  return { values, warnings };
}
