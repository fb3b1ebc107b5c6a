import { defaultPrimaries } from '../../metrics/registry.ts';
import type { Metric } from '../../metrics/metric.ts';
import type { Condition, Plan } from '../../model/plan.ts';
import type { Verdict } from '../../model/summary.ts';
import type { WorkloadKind } from '../../model/workload.ts';
import type { ErrorLevels } from './error-levels.ts';
import { fixedLevels } from './error-levels.ts';
import { askedOfBrowser, type AskedOfBrowser, type CalibratedAsymmetry } from './watching.ts';

/** What the plan decides about comparisons. */
export interface ComparisonRules {
  /** Error of a family: 0.05. */
  readonly alpha: number;
  /** At which level a share of that error is tested now: looks of a sequential run spend it bit by bit. */
  readonly levels: ErrorLevels;
  /** Verdicts of earlier looks, by `comparisonKey`: they stand, and free their share of the error. */
  readonly earlier: ReadonlyMap<string, Verdict>;
  /** Whether only primary comparisons are wanted, and nothing about runs to come: a look that decides whether to go on. */
  readonly brief: boolean;
  /** Whether the plan follows a study, whose own test stands beside. */
  readonly withWelch: boolean;
  readonly exploratory: boolean;
  primaryMetric(kind: WorkloadKind): string;
  /** The practical margin: the plan's override, else the metric's own. */
  margin(definition: Metric): number;
  /** By how much more watching slows one of the arms than the others on this machine, as far as that was measured beforehand. */
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

/** What a look of a sequential run changes, and what is known beside the plan. */
export type LookRules = Partial<
  Pick<ComparisonRules, 'levels' | 'earlier' | 'brief' | 'calibratedAsymmetry'>
>;

export function comparisonRules(plan: Plan, look: LookRules = {}): ComparisonRules {
  const kinds = new Map(plan.workloads.map((workload) => [workload.id, workload.kind]));
  const poolSizes = new Map<string, number>();
  for (const condition of plan.conditions) {
    const kind = kinds.get(condition.workload);
    if (kind === undefined) continue;
    const key = poolKey(kind, condition);
    poolSizes.set(key, (poolSizes.get(key) ?? 0) + 1);
  }
  const wantsPool = (kind: WorkloadKind): boolean => plan.pooled[kind] ?? defaultPrimaries[kind].pooled;
  return {
    alpha: defaultAlpha,
    levels: look.levels ?? fixedLevels,
    earlier: look.earlier ?? new Map(),
    brief: look.brief ?? false,
    withWelch: plan.published !== undefined,
    exploratory: plan.exploratory,
    primaryMetric: (kind) => plan.primary[kind] ?? defaultPrimaries[kind].metric,
    margin: (definition) => plan.margins[definition.name] ?? definition.margin,
    calibratedAsymmetry: look.calibratedAsymmetry ?? (() => null),
    asked: askedOfBrowser(plan),
    isPooled: (kind, condition) => wantsPool(kind) && (poolSizes.get(poolKey(kind, condition)) ?? 0) > 1,
  };
}
