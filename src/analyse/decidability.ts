import type { Plan } from '../model/plan.ts';
import type { WorkloadKind } from '../model/workload.ts';
import { armPairs } from './comparison/arm-pairs.ts';
import { comparisonRules, defaultAlpha, poolKey } from './comparison/comparison-rules.ts';
import { smallestAdjustedPValue } from './statistics/attainable-p.ts';
import { minimumBlocks } from './statistics/blocks-needed.ts';
import { smallestIntervalCount } from './statistics/hodges-lehmann.ts';

export interface Decidability {
  /** m · 2^(1−n): what the surest of m comparisons can reach under Holm. */
  readonly smallestAdjustedPValue: number;
  /** Fewest blocks with which any verdict but `inconclusive` can come out. */
  readonly blocksNeeded: number;
  readonly canDecide: boolean;
}

/** Whether `comparisons` in one primary family can be decided with `blocks` blocks. */
export function decidability(
  comparisons: number,
  blocks: number,
  alpha: number = defaultAlpha,
): Decidability {
  const smallest = smallestAdjustedPValue(comparisons, blocks);
  return {
    smallestAdjustedPValue: smallest,
    blocksNeeded: minimumBlocks(comparisons, alpha),
    canDecide: blocks >= smallestIntervalCount && smallest < alpha,
  };
}

export interface PrimaryFamily extends Decidability {
  readonly kind: WorkloadKind;
  readonly metric: string;
  /** Size of the family: arm pairs × conditions, or × pools where the kind is pooled. */
  readonly comparisons: number;
}

/** The primary family of each kind of workload, as `summarise` will build it; none for a single arm. */
export function primaryFamilies(plan: Plan, alpha: number = defaultAlpha): PrimaryFamily[] {
  const pairs = armPairs(plan.arms).filter((pair) => pair.primary).length;
  if (pairs === 0) return [];
  const rules = comparisonRules(plan, alpha);
  const kindById = new Map(plan.workloads.map((workload) => [workload.id, workload.kind]));
  const unitsByKind = new Map<WorkloadKind, Set<string>>();
  for (const condition of plan.conditions) {
    const kind = kindById.get(condition.workload);
    if (kind === undefined) continue;
    const units = unitsByKind.get(kind) ?? new Set<string>();
    units.add(rules.isPooled(kind, condition) ? poolKey(kind, condition) : condition.conditionId);
    unitsByKind.set(kind, units);
  }
  return [...unitsByKind].map(([kind, units]) => {
    const comparisons = units.size * pairs;
    return {
      kind,
      metric: rules.primaryMetric(kind),
      comparisons,
      ...decidability(comparisons, plan.repetitions, alpha),
    };
  });
}
