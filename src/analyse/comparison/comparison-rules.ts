import { defaultPrimaries, metricDefinition } from '../../core/metrics/registry.ts';
import type { Metric } from '../../core/metrics/metric.ts';
import { audienceNetwork } from '../../core/model/audience-network.ts';
import { type Audience, type AudienceCondition } from '../../core/model/audience.ts';
import type { Condition, Plan } from '../../core/model/plan.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import type { Verdict } from '../../core/model/summary.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import type { ErrorLevels } from './error-levels.ts';
import { fixedLevels } from './error-levels.ts';
import { loadMetric, type JudgedInstead } from './late-paint.ts';
import { askedOfBrowser, type AskedOfBrowser, type CalibratedAsymmetry } from './overhead.ts';

/** What the plan decides about comparisons. */
export interface ComparisonRules {
  /** Error of a family: 0.05. */
  readonly alpha: number;
  /** Of comparisons that look for effects: the share of false ones among those that are found. */
  readonly secondaryAlpha: number;
  /** At which level a share of that error is tested now: interim analyses of a sequential run spend it bit by bit. */
  readonly levels: ErrorLevels;
  /** Verdicts of earlier interim analyses, by `comparisonKey`: they stand, and free their share of the error. */
  readonly earlier: ReadonlyMap<string, Verdict>;
  /** Whether only primary comparisons are wanted, and nothing about runs to come: an interim analysis that decides whether to go on. */
  readonly brief: boolean;
  /** Whether only primary comparisons say what further blocks would bring: of an interim analysis no other is told. */
  readonly primariesAhead: boolean;
  /** Whether the plan follows a study, whose own test stands next to ours. */
  readonly withWelch: boolean;
  readonly exploratory: boolean;
  /** The metric that decides about a workload; of a kind as a whole, without its id. */
  primaryMetric(kind: WorkloadKind, workload?: string): string;
  /** The practical margin: the plan's override, else the metric's own. What judges in place of a load event has that one's. */
  margin(definition: Metric, workload?: string): number;
  /** Why a metric decides nothing about a workload; null where it may. */
  metricVeto(metric: string, workload: string): Reason | null;
  /** By how much more recording slows one of the arms than the others on this machine, as far as that was measured beforehand. */
  readonly calibratedAsymmetry: CalibratedAsymmetry;
  /** What the plan asks of the browser, which may slow one of the arms more than the others too. */
  readonly asked: readonly AskedOfBrowser[];
  /** Whether this condition's workloads are pooled, so that the pooled comparison is the primary one. */
  isPooled(kind: WorkloadKind, condition: Condition): boolean;
  /** A workload as people know it. */
  titleOf(workload: string): string;
  /** Whose users the conditions stand for; null of a plan without an audience. */
  readonly audience: Audience | null;
}

export const defaultAlpha = 0.05;

/** The part of an audience for which a condition stands; undefined of all others. */
export function segmentOf(
  audience: Audience | null | undefined,
  { network }: Pick<Condition, 'network'>,
): AudienceCondition | undefined {
  return audience?.conditions.find((segment) => segment.network === network);
}

/**
 * Conditions that differ only by workload are what a pooled comparison runs over. Those of an audience differ by all that tells
 * its segments apart, too.
 */
export function poolKey(
  kind: WorkloadKind,
  condition: Condition,
  audience: Audience | null | undefined,
): string {
  const { client, network, server } = condition;
  const segment = segmentOf(audience, condition);
  if (segment === undefined) return [kind, client, network, server].join('\u0000');
  return [kind, segment.client === undefined ? client : audienceNetwork, audienceNetwork, server].join(
    '\u0000',
  );
}

/** What an interim analysis of a sequential run changes, and what is known besides the plan. */
export type InterimRules = Partial<
  Pick<
    ComparisonRules,
    'levels' | 'earlier' | 'brief' | 'primariesAhead' | 'calibratedAsymmetry' | 'secondaryAlpha'
  >
> & {
  /** What judges in place of the load event: known from the trials. */
  readonly instead?: JudgedInstead;
};

export function comparisonRules(plan: Plan, interim: InterimRules = {}): ComparisonRules {
  const planned = (kind: WorkloadKind): string => plan.primary[kind] ?? defaultPrimaries[kind].metric;
  const instead: JudgedInstead = interim.instead ?? new Map();
  const primaryMetric = (kind: WorkloadKind, workload = ''): string =>
    planned(kind) === loadMetric ? (instead.get(workload) ?? loadMetric) : planned(kind);
  const poolSizes = sizesOfPools(
    plan,
    (kind, condition) =>
      isPoolable(plan, kind, condition) && primaryMetric(kind, condition.workload) === planned(kind),
  );
  return {
    audience: plan.audience ?? null,
    titleOf: (workload) => plan.workloads.find(({ id }) => id === workload)?.title ?? workload,
    alpha: defaultAlpha,
    secondaryAlpha: interim.secondaryAlpha ?? defaultAlpha,
    levels: interim.levels ?? fixedLevels,
    earlier: interim.earlier ?? new Map(),
    brief: interim.brief ?? false,
    primariesAhead: interim.primariesAhead ?? false,
    withWelch: plan.published !== undefined,
    exploratory: plan.exploratory,
    primaryMetric,
    margin: (definition, workload = '') =>
      plan.margins[definition.name] ??
      (instead.get(workload) === definition.name ? plan.margins[loadMetric] : undefined) ??
      definition.margin,
    metricVeto: (metric, workload) =>
      metric === loadMetric && instead.has(workload) ? reasonOf('paints-after-load') : null,
    calibratedAsymmetry: interim.calibratedAsymmetry ?? (() => null),
    asked: askedOfBrowser(plan),
    isPooled: (kind, condition) =>
      primaryMetric(kind, condition.workload) === planned(kind) &&
      (poolSizes.get(poolKey(kind, condition, plan.audience)) ?? 0) >
        (segmentOf(plan.audience, condition) === undefined ? 1 : 0),
  };
}

/** Whether conditions of a kind are pooled: as the plan says, and all of an audience whose metric has a mean of ratios. */
function isPoolable({ pooled, primary, audience }: Plan, kind: WorkloadKind, condition: Condition): boolean {
  if (segmentOf(audience, condition) === undefined) return pooled[kind] ?? defaultPrimaries[kind].pooled;
  return metricDefinition(primary[kind] ?? defaultPrimaries[kind].metric)?.form === 'ratio';
}

/** How many conditions each pool has. */
function sizesOfPools(
  { workloads, conditions, audience }: Pick<Plan, 'workloads' | 'conditions' | 'audience'>,
  belongs: (kind: WorkloadKind, condition: Condition) => boolean,
): ReadonlyMap<string, number> {
  const kinds = new Map(workloads.map(({ id, kind }) => [id, kind]));
  const sizes = new Map<string, number>();
  for (const condition of conditions) {
    const kind = kinds.get(condition.workload);
    if (kind === undefined || !belongs(kind, condition)) continue;
    const key = poolKey(kind, condition, audience);
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  return sizes;
}
