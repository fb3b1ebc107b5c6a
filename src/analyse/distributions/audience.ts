import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Metric } from '../../core/metrics/metric.ts';
import { audienceNetwork } from '../../core/model/audience-network.ts';
import {
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
import { poolsOf, subjectOf } from '../comparison/pooled-drafts.ts';
import { conditionsWith, type ConditionTrials, type TrialTable } from '../comparison/trial-table.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { locationTests } from '../statistics/location-test.ts';
import { quantileChanges } from '../statistics/mixture-quantiles.ts';
import { momentsOf, tInterval } from '../statistics/student-t.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';

const plainLevel = 0.95;
const quantiles = [0.5, 0.75, 0.95];
/** Told of an audience next to what decides: people know the quantiles of their own page views (Core Web Vitals). */
const vitals: ReadonlySet<string> = new Set(['lcpMs']);

/** One workload of one segment: its share of the page views, and what its blocks left. */
interface Cell {
  readonly network: string;
  readonly workload: string;
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
  const asked = comparisons
    .filter(({ network }) => network === audienceNetwork)
    .filter((one, _, all) => one.primary || (vitals.has(one.metric) && all.some(decidesFor(one))))
    .toSorted((a, b) => Number(b.primary) - Number(a.primary));
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
    noticeableSentences: noticeableSentences(answers.filter(({ isPrimary }) => isPrimary)),
    coverageSentences: [
      ...coverageSentences({ ...audience, answers }),
      ...kindsApart(plan, rules).map(([kind, metric]) => `${noWholeAnswer(kind, metric)}.`),
    ],
  };
}

/** Whether a comparison is the primary one of the same arms and clients. */
const decidesFor =
  (other: Comparison) =>
  ({ primary, workloadKind, client, server, baseline, candidate }: Comparison): boolean =>
    primary &&
    workloadKind === other.workloadKind &&
    client === other.client &&
    server === other.server &&
    baseline.arm === other.baseline.arm &&
    candidate.arm === other.candidate.arm;

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
    const { network, workload } = trials.condition;
    return pairs.length === 0 ? [] : [{ network, workload, weight, pairs }];
  });
  // A run that may stop early has intervals of the analysis at which it was decided, and so have all of these.
  const level = comparison.intervalLevel ?? plainLevel;
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
    isPrimary: comparison.primary,
    level,
    blocks: comparison.blocks,
    loads: cells.reduce((sum, { pairs }) => sum + pairs.length, 0),
    segments: segmentsOf(plan, cells, level),
    // Its ratio is that of the headline, which few segments have by another test than their parts.
    whole: {
      ...changesOf(cells, level),
      ratio: comparison.ratio,
      ratioInterval: comparison.ratioInterval === null ? null : [...comparison.ratioInterval],
    },
    quantiles: quantileChanges(parts, quantiles, level, seed).map(({ interval, ...change }) => ({
      ...change,
      interval: interval === null ? null : [...interval],
    })),
    noticeable: unit === 'ms' ? noticeableOf(cells, { measuredShare, higherIsBetter, level }) : null,
  };
  return { ...answer, loadsSentence: quantileSentence(answer) };
}

function segmentsOf(
  { audience, workloads }: Plan,
  cells: readonly Cell[],
  level: number,
): AudienceAnswer['segments'] {
  const titleOf = new Map(workloads.map(({ id, title }) => [id, title]));
  return (audience?.conditions ?? []).flatMap(({ network, title, share }) => {
    const own = cells.filter((cell) => cell.network === network);
    if (own.length === 0) return [];
    const blocks = new Set(own.flatMap(({ pairs }) => pairs.map(({ blockIndex }) => blockIndex))).size;
    return [
      {
        network,
        title,
        share,
        blocks,
        ...changesOf(own, level),
        workloads: own.map((cell) => ({
          workload: cell.workload,
          title: titleOf.get(cell.workload) ?? cell.workload,
          share: cell.weight,
          ...changesOf([cell], level),
        })),
      },
    ];
  });
}

/** Mean change of some page views as a ratio and in the metric's unit. */
function changesOf(own: readonly Cell[], level: number): AudienceAnswer['whole'] {
  const isPositive = own.every(({ pairs }) =>
    pairs.every(({ baseline, candidate }) => baseline > 0 && candidate > 0),
  );
  const ratios = isPositive ? meanOver(own, logRatio, level) : null;
  const differences = meanOver(own, difference, level);
  const [low, high] = ratios?.interval ?? [];
  return {
    ratio: ratios === null ? null : Math.exp(ratios.estimate),
    ratioInterval: low === undefined || high === undefined ? null : [Math.exp(low), Math.exp(high)],
    difference: differences.estimate,
    differenceInterval: differences.interval === null ? null : [...differences.interval],
  };
}

const difference = ({ baseline, candidate }: CompletePair): number => candidate - baseline;

/** Weighted mean over workloads, and its interval by a t test of blocks, as of the whole audience. */
function meanOver(
  cells: readonly Cell[],
  effect: (pair: CompletePair) => number,
  level: number,
): { readonly estimate: number; readonly interval: Interval | null } {
  const ofAll = cells.flatMap(({ pairs, weight }, site) =>
    pairs.map((pair) => ({ site, block: pair.blockIndex, value: effect(pair), weight })),
  );
  const values = fitTwoWay(ofAll, cells.length).blocks.map(({ value }) => value);
  const { estimate, intervals } = locationTests.t.locate(values, [level]);
  return { estimate: estimate ?? 0, interval: intervals[0] ?? null };
}

/**
 * How many page views change by a time that a user notices. The mean change of each workload in each segment has an interval. At
 * 1 − (1 − level) ÷ their number these hold together (Bonferroni), and so does what they say of the shares: what is certain and what is
 * possible.
 */
function noticeableOf(
  cells: readonly Cell[],
  {
    measuredShare,
    higherIsBetter,
    level,
  }: Pick<AudienceAnswer, 'measuredShare' | 'higherIsBetter' | 'level'>,
): AudienceAnswer['noticeable'] {
  const sign = higherIsBetter ? 1 : -1;
  const together = 1 - (1 - level) / cells.length;
  const gains = cells.map(({ network, workload, weight, pairs }) => {
    const moments = momentsOf(pairs.map((pair) => sign * difference(pair)));
    const isEnough = pairs.length >= locationTests.t.minValues;
    const interval = isEnough ? tInterval(moments, together) : null;
    return { network, workload, weight, mean: moments.mean, interval };
  });
  if (gains.every(({ interval }) => interval === null)) return null;
  type Gain = (typeof gains)[number];
  const shareOf = (holds: (gain: Gain) => boolean): number =>
    gains.reduce((sum, gain) => (holds(gain) ? sum + gain.weight : sum), 0) / measuredShare;
  const placesOf = (holds: (gain: Gain) => boolean): { workload: string; network: string }[] =>
    gains.filter(holds).map(({ workload, network }) => ({ workload, network }));
  const limit = noticeableMs;
  const gainsByMean = ({ mean }: Gain): boolean => mean >= limit;
  const losesByMean = ({ mean }: Gain): boolean => mean <= -limit;
  return {
    thresholdMs: limit,
    gaining: {
      share: shareOf(gainsByMean),
      interval: [
        shareOf(({ interval }) => interval !== null && interval[0] >= limit),
        shareOf(({ interval }) => interval === null || interval[1] >= limit),
      ],
      places: placesOf(gainsByMean),
    },
    losing: {
      share: shareOf(losesByMean),
      interval: [
        shareOf(({ interval }) => interval !== null && interval[1] <= -limit),
        shareOf(({ interval }) => interval === null || interval[0] <= -limit),
      ],
      places: placesOf(losesByMean),
    },
  };
}
