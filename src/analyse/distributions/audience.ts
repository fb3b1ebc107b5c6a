import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Metric } from '../../core/metrics/metric.ts';
import {
  audienceNetwork,
  noWholeAnswer,
  noticeableMs,
  type AudienceAnswer,
  type AudienceResult,
} from '../../core/model/audience.ts';
import { coverageSentences, noticeableSentences, quantileSentence } from './audience-words.ts';
import type { Plan } from '../../core/model/plan.ts';
import { deriveSeed } from '../../core/model/seeded-random.ts';
import type { Comparison } from '../../core/model/summary.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { armPairs, type ArmPair } from '../comparison/arm-pairs.ts';
import { comparisonRules, type ComparisonRules } from '../comparison/comparison-rules.ts';
import { pairedValues } from '../comparison/condition-drafts.ts';
import { logRatio } from '../comparison/effect.ts';
import { judgedInsteadOfLoad } from '../comparison/late-paint.ts';
import { completePairs, type CompletePair } from '../comparison/paired-values.ts';
import { poolsOf, poolTest, subjectOf } from '../comparison/pooled-drafts.ts';
import { conditionsWith, type ConditionTrials, type TrialTable } from '../comparison/trial-table.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { locationTests } from '../statistics/location-test.ts';
import { quantileChanges } from '../statistics/mixture-quantiles.ts';
import { momentsOf, tInterval } from '../statistics/student-t.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';

const level = 0.95;
const quantiles = [0.5, 0.75, 0.95];

/** One workload of one segment: its share of the page views, and what its blocks left. */
interface Cell {
  readonly network: string;
  readonly weight: number;
  readonly pairs: readonly CompletePair[];
}

/** What a run says of its audience besides the comparison of its mean; undefined of a plan without one. */
export function audienceResult(
  plan: Plan,
  table: TrialTable,
  comparisons: readonly Comparison[],
): AudienceResult | undefined {
  const { audience } = plan;
  if (audience === undefined) return undefined;
  const rules = comparisonRules(plan, { instead: judgedInsteadOfLoad(table) });
  const asked = comparisons.filter(({ primary, network }) => primary && network === audienceNetwork);
  const answers = asked.flatMap((comparison) => {
    const definition = metricDefinition(comparison.metric);
    const pair = armPairs(plan).find(
      ({ baseline, candidate }) =>
        baseline.label === comparison.baseline.arm && candidate.label === comparison.candidate.arm,
    );
    if (definition === undefined || pair === undefined) return [];
    const pool = poolsOf(conditionsWith(definition, table), rules).find((some) => isOf(some, comparison));
    return pool === undefined ? [] : [answerOf(comparison, pool, { plan, pair, definition })];
  });
  return {
    ...audience,
    answers,
    noticeableSentences: noticeableSentences(answers),
    coverageSentences: [
      ...coverageSentences({ ...audience, answers }),
      ...kindsApart(plan, rules).map(([kind, metric]) => `${noWholeAnswer(kind, metric)}.`),
    ],
  };
}

/** Kinds of workload of which no segments are weighted, each with its primary metric by the name that people know. */
function kindsApart(
  { workloads }: Plan,
  rules: ComparisonRules,
): (readonly [kind: WorkloadKind, metric: string])[] {
  return [...new Set(workloads.map(({ kind }) => kind))].flatMap((kind) => {
    const definition = metricDefinition(rules.primaryMetric(kind));
    return definition?.form === 'difference' ? [[kind, definition.title] as const] : [];
  });
}

function isOf(pool: readonly ConditionTrials[], comparison: Comparison): boolean {
  const [first] = pool;
  if (first === undefined) return false;
  const { workloadKind, client, network, server } = subjectOf(pool, first);
  return (
    workloadKind === comparison.workloadKind &&
    client === comparison.client &&
    network === comparison.network &&
    server === comparison.server
  );
}

function answerOf(
  comparison: Comparison,
  pool: readonly ConditionTrials[],
  { plan, pair, definition }: { readonly plan: Plan; readonly pair: ArmPair; readonly definition: Metric },
): AudienceAnswer {
  const { workloadKind, metric, unit, higherIsBetter, client, server, baseline, candidate } = comparison;
  const cells = pool.flatMap((trials): Cell[] => {
    const pairs = completePairs(pairedValues(trials, pair, definition));
    const weight = trials.ofAudience?.weight ?? 0;
    return pairs.length === 0 ? [] : [{ network: trials.condition.network, weight, pairs }];
  });
  const measuredShare = cells.reduce((sum, { weight }) => sum + weight, 0);
  const seed = deriveSeed(plan.seed, 'audience', workloadKind, metric, baseline.arm, candidate.arm);
  const parts = cells.map(({ weight, pairs }) => ({
    weight,
    pairs: pairs.map(({ blockIndex, ...values }) => ({ block: blockIndex, ...values })),
  }));
  const answer: Omit<AudienceAnswer, 'loadsSentence'> = {
    workloadKind,
    metric,
    unit,
    higherIsBetter,
    client,
    server,
    baselineArm: baseline.arm,
    candidateArm: candidate.arm,
    measuredShare,
    blocks: comparison.blocks,
    loads: cells.reduce((sum, { pairs }) => sum + pairs.length, 0),
    segments: segmentsOf(plan, cells),
    quantiles: quantileChanges(parts, quantiles, level, seed).map(({ interval, ...change }) => ({
      ...change,
      interval: interval === null ? null : [...interval],
    })),
    noticeable: unit === 'ms' ? noticeableOf(cells, measuredShare, higherIsBetter) : null,
  };
  return { ...answer, loadsSentence: quantileSentence(answer) };
}

function segmentsOf({ audience }: Plan, cells: readonly Cell[]): AudienceAnswer['segments'] {
  return (audience?.conditions ?? []).flatMap(({ network, title, share }) => {
    const own = cells.filter((cell) => cell.network === network);
    if (own.length === 0) return [];
    const pairs = own.flatMap((cell) => cell.pairs);
    const isPositive = pairs.every(({ baseline, candidate }) => baseline > 0 && candidate > 0);
    const ratios = isPositive ? meanOver(own, logRatio) : null;
    const differences = meanOver(own, ({ baseline, candidate }) => candidate - baseline);
    const ratioInterval = ratios?.interval ?? null;
    return [
      {
        network,
        title,
        share,
        blocks: new Set(pairs.map(({ blockIndex }) => blockIndex)).size,
        ratio: ratios === null ? null : Math.exp(ratios.estimate),
        ratioInterval:
          ratioInterval === null ? null : [Math.exp(ratioInterval[0]), Math.exp(ratioInterval[1])],
        difference: differences.estimate,
        differenceInterval: differences.interval === null ? null : [...differences.interval],
      },
    ];
  });
}

/** Centre of what the blocks of one segment say, by the test that judges as many workloads. */
function meanOver(
  cells: readonly Cell[],
  effect: (pair: CompletePair) => number,
): { readonly estimate: number; readonly interval: Interval | null } {
  const ofAll = cells.flatMap(({ pairs }, site) =>
    pairs.map((pair) => ({ site, block: pair.blockIndex, value: effect(pair) })),
  );
  const values = fitTwoWay(ofAll, cells.length).blocks.map(({ value }) => value);
  const { estimate, intervals } = poolTest(cells.length).locate(values, [level]);
  return { estimate: estimate ?? 0, interval: intervals[0] ?? null };
}

/**
 * How many page views change by a time that a user notices. The mean change of each workload in each segment has an interval;
 * at 1 − 5 % ÷ their number they hold together (Bonferroni), and so does what they say of the shares. Noise within a workload is
 * no gain of anybody.
 */
function noticeableOf(
  cells: readonly Cell[],
  measuredShare: number,
  higherIsBetter: boolean,
): AudienceAnswer['noticeable'] {
  const sign = higherIsBetter ? 1 : -1;
  const together = 1 - (1 - level) / cells.length;
  const gains = cells.map(({ weight, pairs }) => {
    const moments = momentsOf(pairs.map(({ baseline, candidate }) => sign * (candidate - baseline)));
    const isEnough = pairs.length >= locationTests.t.minValues;
    return { weight, mean: moments.mean, interval: isEnough ? tInterval(moments, together) : null };
  });
  if (gains.every(({ interval }) => interval === null)) return null;
  const shareOf = (holds: (gain: (typeof gains)[number]) => boolean): number =>
    gains.reduce((sum, gain) => (holds(gain) ? sum + gain.weight : sum), 0) / measuredShare;
  const limit = noticeableMs;
  return {
    thresholdMs: limit,
    gaining: {
      share: shareOf(({ mean }) => mean >= limit),
      interval: [
        shareOf(({ interval }) => interval !== null && interval[0] >= limit),
        shareOf(({ interval }) => interval === null || interval[1] >= limit),
      ],
    },
    losing: {
      share: shareOf(({ mean }) => mean <= -limit),
      interval: [
        shareOf(({ interval }) => interval !== null && interval[1] <= -limit),
        shareOf(({ interval }) => interval === null || interval[0] <= -limit),
      ],
    },
  };
}
