import { armsAsRun } from '../../core/factors/arms-as-run.ts';
import { type Arm, type Plan } from '../../core/model/plan.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { armPairs, twoByTwo } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import { draftCondition } from './condition-drafts.ts';
import type { DifferenceInDifferences } from './difference-in-differences.ts';
import { differencesInDifferences } from './difference-in-differences.ts';
import { decideFamilies } from './families.ts';
import { draftPool, poolsOf } from './pooled-drafts.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';

export interface RunComparisons {
  /** Pooled ones first, then condition by condition in the plan's order. */
  readonly comparisons: readonly Comparison[];
  readonly differenceInDifferences: readonly DifferenceInDifferences[];
}

/** Every comparison that the plan's arms allow; none for a single arm. */
export function compareRun(plan: Plan, table: TrialTable, rules: ComparisonRules): RunComparisons {
  const pairs = armPairs(plan);
  const places = new Map(plan.conditions.map(({ conditionId }, place) => [conditionId, place]));
  const positionOf = ({ condition }: ConditionTrials): number => places.get(condition.conditionId) ?? 0;
  const both = [table.conditions, table.recorded];
  const pooled = both
    .flatMap((conditions) => poolsOf(conditions, rules))
    .flatMap((pool) => pairs.flatMap((pair) => draftPool(pool, pair, rules, table)));
  const single = both
    .flat()
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .flatMap((trials) => pairs.flatMap((pair) => draftCondition(trials, pair, rules, table)));
  const arms = armsAsRun(plan);
  const square = twoByTwo(arms);
  const decided = decideFamilies([...pooled, ...single], rules);
  return {
    comparisons: decided.map((comparison) => withFactors(comparison, arms)),
    differenceInDifferences: square === null ? [] : differencesInDifferences(table, square, rules),
  };
}

function withFactors(comparison: Comparison, arms: readonly Arm[]): Comparison {
  const named = (side: Comparison['baseline']): Comparison['baseline'] => {
    const factors = arms.find(({ label }) => label === side.arm)?.factors;
    return factors === undefined ? side : { ...side, factors };
  };
  return { ...comparison, baseline: named(comparison.baseline), candidate: named(comparison.candidate) };
}
