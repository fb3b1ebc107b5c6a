import { defaultPrimaries } from '../../core/metrics/registry.ts';
import type { Metric } from '../../core/metrics/metric.ts';
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
  /** At which level a share of that error is tested now: interim analyses of a sequential run spend it bit by bit. */
  readonly levels: ErrorLevels;
  /** Verdicts of earlier interim analyses, by `comparisonKey`: they stand, and free their share of the error. */
  readonly earlier: ReadonlyMap<string, Verdict>;
  /** Whether only primary comparisons are wanted, and nothing about runs to come: an interim analysis that decides whether to go on. */
  readonly brief: boolean;
  /** Whether the plan follows a study, whose own test stands beside. */
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
}

export const defaultAlpha = 0.05;

/** Conditions that differ only by workload: what a pooled comparison runs over. */
export function poolKey(kind: WorkloadKind, { client, network, server }: Condition): string {
  return [kind, client, network, server].join('\u0000');
}

/** What an interim analysis of a sequential run changes, and what is known beside the plan. */
export type InterimRules = Partial<
  Pick<ComparisonRules, 'levels' | 'earlier' | 'brief' | 'calibratedAsymmetry'>
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
    (kind, { workload }) =>
      (plan.pooled[kind] ?? defaultPrimaries[kind].pooled) && primaryMetric(kind, workload) === planned(kind),
  );
  return {
    alpha: defaultAlpha,
    levels: interim.levels ?? fixedLevels,
    earlier: interim.earlier ?? new Map(),
    brief: interim.brief ?? false,
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
      (poolSizes.get(poolKey(kind, condition)) ?? 0) > 1,
  };
}

/** How many conditions each pool has. */
function sizesOfPools(
  { workloads, conditions }: Pick<Plan, 'workloads' | 'conditions'>,
  belongs: (kind: WorkloadKind, condition: Condition) => boolean,
): ReadonlyMap<string, number> {
  const kinds = new Map(workloads.map(({ id, kind }) => [id, kind]));
  const sizes = new Map<string, number>();
  for (const condition of conditions) {
    const kind = kinds.get(condition.workload);
    if (kind === undefined || !belongs(kind, condition)) continue;
    const key = poolKey(kind, condition);
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  return sizes;
}
