import { metricsOfKind } from '../../model/metric-catalogue.ts';
import type { MetricDefinition } from '../../model/metrics.ts';
import type { Arm } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { Summary } from '../../model/summary.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { geometricMean } from '../statistics/geometric-mean.ts';
import type { TwoByTwo } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import { lossVeto } from './condition-drafts.ts';
import type { ComparisonSubject } from './draft.ts';
import type { Effect } from './effect.ts';
import { measureEffect } from './effect.ts';
import { ranRecords } from './losses.ts';
import type { CompletePair } from './paired-values.ts';
import { pooledWorkload, poolsOf, smallestBlockShare } from './pooled-drafts.ts';
import type { ConditionTrials } from './trial-table.ts';
import { usableValue } from './trial-table.ts';
import { decideVerdict } from './verdict.ts';

export type DifferenceInDifferences = Summary['differenceInDifferences'][number];

interface DoubleDraft {
  readonly subject: ComparisonSubject;
  readonly definition: MetricDefinition;
  readonly effect: Effect;
  readonly blocks: number;
  readonly primary: boolean;
  readonly veto: string | null;
}

/**
 * Change of the candidate protocol minus change of the baseline protocol between two versions: per block
 * ln of (new second / old second) ÷ (new first / old first), so that "the browser got slower" and "the
 * protocol got slower" are told apart. Ratio metrics only; primaries by Holm, the rest by
 * Benjamini–Hochberg.
 */
export function differencesInDifferences(
  conditions: readonly ConditionTrials[],
  square: TwoByTwo,
  rules: ComparisonRules,
): DifferenceInDifferences[] {
  const groups = [...poolsOf(conditions, rules), ...conditions.map((trials) => [trials])];
  const drafts = groups.flatMap((group) => draftGroup(group, square, rules));
  return [true, false].flatMap((primary) => {
    const members = drafts.filter((draft) => draft.primary === primary);
    const adjusted = adjustPValues(
      members.map((draft) => draft.effect.test.pValue),
      primary && !rules.exploratory ? 'holm' : 'bh',
    );
    return members.map((draft, index) => finish(draft, square, adjusted[index] ?? null, rules.alpha));
  });
}

function draftGroup(
  group: readonly ConditionTrials[],
  square: TwoByTwo,
  rules: ComparisonRules,
): DoubleDraft[] {
  const [first] = group;
  if (first === undefined) return [];
  const { workload, client, network, server } = first.condition;
  const single = group.length === 1;
  const subject = {
    workload: single ? workload : pooledWorkload,
    workloadKind: first.kind,
    client,
    network,
    server,
  };
  return metricsOfKind(first.kind).flatMap((definition) => {
    if (definition.form !== 'ratio') return [];
    const pairs = changesPerBlock(group, square, definition);
    if (pairs.length === 0) return [];
    const effect = measureEffect(pairs, 'ratio', rules.margin(definition), rules.alpha);
    const primary =
      rules.primaryMetric(first.kind) === definition.name &&
      single !== rules.isPooled(first.kind, first.condition);
    const veto = unequalLossesIn(group, square, definition);
    return [{ subject, definition, effect, blocks: pairs.length, primary, veto }];
  });
}

/** The losses of each of the four arms against the first arm's. */
function unequalLossesIn(
  group: readonly ConditionTrials[],
  square: TwoByTwo,
  definition: MetricDefinition,
): string | null {
  const recordsOf = ({ label }: Arm): TrialRecord[] =>
    ranRecords(group.flatMap((trials) => [...(trials.recordsByArm.get(label)?.values() ?? [])]));
  const [baseline, ...others] = square.map(recordsOf);
  if (baseline === undefined) return null;
  const vetoes = others.map((candidate) => lossVeto({ baseline, candidate }, definition));
  return vetoes.find((veto) => veto !== null) ?? null;
}

/** Per block the change of each protocol between the versions, averaged over the group's workloads. */
function changesPerBlock(
  group: readonly ConditionTrials[],
  square: TwoByTwo,
  definition: MetricDefinition,
): CompletePair[] {
  const blocks = [...new Set(group.flatMap((trials) => trials.blocks))].sort((a, b) => a - b);
  return blocks.flatMap((blockIndex) => {
    const cells = group.flatMap((trials) => {
      const values = square.map((arm) =>
        usableValue(trials.recordsByArm.get(arm.label)?.get(blockIndex), definition),
      );
      return values.every((value): value is number => value !== undefined && value > 0) ? [values] : [];
    });
    if (cells.length === 0 || cells.length < smallestBlockShare * group.length) return [];
    const change = (before: number, after: number): number =>
      geometricMean(cells.map((values) => (values[after] as number) / (values[before] as number)));
    return [{ blockIndex, baseline: change(0, 2), candidate: change(1, 3) }];
  });
}

function finish(
  { subject, definition, effect, blocks, primary, veto }: DoubleDraft,
  square: TwoByTwo,
  adjustedPValue: number | null,
  alpha: number,
): DifferenceInDifferences {
  const { verdict } = decideVerdict({
    blocks,
    interval: effect.interval,
    equivalenceInterval: effect.equivalenceInterval,
    scaleMargin: effect.scaleMargin,
    adjustedPValue,
    alpha,
    higherIsBetter: definition.higherIsBetter,
    veto,
  });
  const [a, b, c, d] = square;
  return {
    workload: subject.workload,
    client: subject.client,
    network: subject.network,
    server: subject.server,
    metric: definition.name,
    arms: [a.label, b.label, c.label, d.label],
    ratioOfRatios: effect.estimate === null ? null : Math.exp(effect.estimate),
    interval: effect.interval === null ? null : [Math.exp(effect.interval[0]), Math.exp(effect.interval[1])],
    pValue: effect.test.pValue,
    adjustedPValue,
    primary,
    blocks,
    verdict,
  };
}
