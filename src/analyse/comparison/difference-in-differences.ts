import { metricsOfKind } from '../../core/metrics/registry.ts';
import { instrumentationOf, type Metric } from '../../core/metrics/metric.ts';
import { writtenReason } from '../../core/model/reasons.ts';
import type { Summary } from '../../core/model/summary.ts';
import { testMargin } from '../statistics/location-test.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';
import type { TwoByTwo } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import type { ComparisonSubject } from './draft.ts';
import type { Effect } from './effect.ts';
import { intervalsOf } from './effect.ts';
import type { Judgement } from './judge-family.ts';
import { judgeFamily } from './judge-family.ts';
import { countMetricLosses, ranRecords } from './losses.ts';
import { effectCells, poolCells } from './pool-cells.ts';
import { effectiveSites, poolsOf, poolTest, subjectOf } from './pooled-drafts.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';
import { knownOverhead, overheadVeto, type KnownOverhead } from './overhead.ts';
import { hostsByBlock } from './trial-table.ts';
import { testOverHosts } from '../statistics/over-hosts.ts';
import type { WorstCase } from './worst-rank.ts';

export type DifferenceInDifferences = Summary['differenceInDifferences'][number];

interface UnadjustedDouble {
  readonly subject: ComparisonSubject;
  readonly definition: Metric;
  readonly effect: Effect;
  readonly worst: WorstCase | null;
  readonly primary: boolean;
  readonly overhead: KnownOverhead;
}

/** ln of (new second ÷ old second) ÷ (new first ÷ old first), in the canonical order of the four arms. */
const doubleSigns = [1, -1, -1, 1] as const;

/**
 * Change of the candidate protocol minus change of the baseline protocol between two versions: per block
 * ln of (new second / old second) ÷ (new first / old first), so that "the browser got slower" and "the
 * protocol got slower" are told apart. Pools are fitted on the cells that exist, as comparisons are. Ratio metrics only;
 * primaries by Holm, the rest by Benjamini–Hochberg.
 */
export function differencesInDifferences(
  table: TrialTable,
  square: TwoByTwo,
  rules: ComparisonRules,
): DifferenceInDifferences[] {
  const groups = [table.conditions, table.recorded].flatMap((conditions) => [
    ...poolsOf(conditions, rules),
    ...conditions.map((trials) => [trials]),
  ]);
  const drafts = groups.flatMap((group) => draftGroup(group, square, rules, table));
  return [true, false].flatMap((primary) => {
    const members = drafts.filter((draft) => draft.primary === primary);
    const judgements = judgeFamily(
      members.map(({ effect, worst, definition, overhead }) => ({
        effect,
        worst,
        blocks: effect.effects.length,
        higherIsBetter: definition.higherIsBetter,
        veto: overheadVeto(overhead),
        demand: null,
        earlier: undefined,
      })),
      !primary || rules.exploratory,
      rules,
    );
    return members.map((draft, index) => finish(draft, square, judgements[index] as Judgement));
  });
}

function draftGroup(
  group: readonly ConditionTrials[],
  square: TwoByTwo,
  rules: ComparisonRules,
  table: TrialTable,
): UnadjustedDouble[] {
  const [first] = group;
  if (first === undefined) return [];
  const { workload, client, network, server } = first.condition;
  const single = group.length === 1 && first.ofAudience === undefined;
  const subject = single
    ? { workload, workloadKind: first.kind, client, network, server }
    : subjectOf(group, first);
  const overhead = knownOverhead(group, table, { arms: square, signs: doubleSigns }, rules);
  const byOverhead = overhead.asymmetry?.bound ?? 0;
  return metricsOfKind(first.kind).flatMap((definition) => {
    if (definition.form !== 'ratio' || instrumentationOf(definition) !== first.instrumentation) return [];
    if (group.some(({ condition }) => rules.metricVeto(definition.name, condition.workload) !== null))
      return [];
    const primary =
      rules.primaryMetric(first.kind, workload) === definition.name &&
      single !== rules.isPooled(first.kind, first.condition);
    if (rules.brief && !primary) return [];
    const margin = rules.margin(definition, workload);
    const options = { margin, byOverhead, lossesAtWorst: false };
    const effect = doubleEffect(group, square, definition, options);
    if (effect === null) return [];
    const worst = worstDouble(group, square, definition, options);
    return [{ subject, definition, effect, primary, worst, overhead }];
  });
}

interface DoubleOptions {
  readonly margin: number;
  /** What recording may have made, on the scale of the logarithm. */
  readonly byOverhead: number;
  readonly lossesAtWorst: boolean;
}

function doubleEffect(
  group: readonly ConditionTrials[],
  square: TwoByTwo,
  definition: Metric,
  { margin, byOverhead, lossesAtWorst }: DoubleOptions,
): Effect | null {
  const cells = poolCells(group, square, definition, lossesAtWorst);
  const sites = cells.workloads.length;
  if (sites === 0) return null;
  const { blocks } = fitTwoWay(effectCells(cells, doubleSigns), sites);
  const effects = blocks.map(({ value }) => value);
  const byBlock = hostsByBlock(group, square);
  const hosts = blocks.map(({ block }) => byBlock.get(block) ?? '');
  const plainTest = poolTest(effectiveSites(cells.weights));
  const test = testOverHosts(plainTest, hosts);
  const scaleMargin = Math.log1p(margin) + byOverhead;
  const equivalenceMargin = Math.log1p(margin) - byOverhead;
  return {
    form: 'ratio',
    effects,
    differences: [],
    scaleMargin,
    equivalenceMargin,
    pBeyondPlainMargin:
      byOverhead > 0 ? (testMargin(test, effects, Math.log1p(margin))?.pBeyondMargin ?? null) : null,
    estimate: test.locate(effects, []).estimate,
    difference: null,
    margin,
    test,
    plainTest,
    hosts,
    margins: testMargin(test, effects, scaleMargin, equivalenceMargin),
    cliffsDelta: null,
  };
}

/** Losses of the arms whose worst raises the effect stand for the candidate's, those of the others for the baseline's. */
function worstDouble(
  group: readonly ConditionTrials[],
  square: TwoByTwo,
  definition: Metric,
  options: DoubleOptions,
): WorstCase | null {
  const losses = { baseline: 0, candidate: 0 };
  square.forEach(({ label }, index) => {
    const ran = ranRecords(group.flatMap((trials) => [...(trials.recordsByArm.get(label)?.values() ?? [])]));
    losses[(doubleSigns[index] as number) > 0 ? 'candidate' : 'baseline'] += countMetricLosses(
      ran,
      definition,
    ).lost;
  });
  if (losses.baseline + losses.candidate === 0) return null;
  const effect = doubleEffect(group, square, definition, { ...options, lossesAtWorst: true });
  return effect === null ? null : { losses, effect, bound: Infinity };
}

function finish(
  { subject, definition, effect, primary }: UnadjustedDouble,
  square: TwoByTwo,
  judgement: Judgement,
): DifferenceInDifferences {
  const [a, b, c, d] = square;
  const { verdict, reason, intervalLevel } = judgement;
  return {
    workload: subject.workload,
    client: subject.client,
    network: subject.network,
    server: subject.server,
    metric: definition.name,
    arms: [a.label, b.label, c.label, d.label],
    ratioOfRatios: effect.estimate === null ? null : Math.exp(effect.estimate),
    interval: intervalsOf(effect, intervalLevel).ratioInterval,
    ...(Math.abs(intervalLevel - 0.95) < 1e-9 ? {} : { intervalLevel }),
    interval95: intervalsOf(effect, 0.95).ratioInterval,
    pValue: effect.margins?.pValue ?? null,
    pBeyondMargin: effect.margins?.pBeyondMargin ?? null,
    pEquivalent: effect.margins?.pEquivalent ?? null,
    adjustedPValue: judgement.adjustedPBeyondMargin,
    adjustedPEquivalent: judgement.adjustedPEquivalent,
    primary,
    blocks: effect.effects.length,
    verdict,
    ...writtenReason(reason),
  };
}
