import { armsAsRun, type Arm, type Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { Comparison } from '../../model/summary.ts';
import { armPairs, twoByTwo } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import { draftCondition } from './condition-drafts.ts';
import type { DifferenceInDifferences } from './difference-in-differences.ts';
import { differencesInDifferences } from './difference-in-differences.ts';
import { decideFamilies } from './families.ts';
import { draftPool, poolsOf } from './pooled-drafts.ts';
import type { TrialTable } from './trial-table.ts';

export interface RunComparisons {
  /** Pooled ones first, then condition by condition in the plan's order. */
  readonly comparisons: readonly Comparison[];
  readonly differenceInDifferences: readonly DifferenceInDifferences[];
}

/** Every comparison that the plan's arms allow; none for a single arm. */
export function compareRun(plan: Plan, table: TrialTable, rules: ComparisonRules): RunComparisons {
  const pairs = armPairs(plan);
  const recordsByWorkload = groupByWorkload(table);
  const pooled = poolsOf(table.conditions, rules).flatMap((pool) =>
    pairs.flatMap((pair) => draftPool(pool, pair, rules)),
  );
  const single = table.conditions.flatMap((trials) =>
    pairs.flatMap((pair) =>
      draftCondition(trials, pair, rules, recordsByWorkload.get(trials.condition.workload) ?? []),
    ),
  );
  const arms = armsAsRun(plan);
  const square = twoByTwo(arms);
  const decided = decideFamilies([...pooled, ...single], rules);
  return {
    comparisons: decided.map((comparison) => withFactors(comparison, arms)),
    differenceInDifferences: square === null ? [] : differencesInDifferences(table.conditions, square, rules),
  };
}

function withFactors(comparison: Comparison, arms: readonly Arm[]): Comparison {
  const named = (side: Comparison['baseline']): Comparison['baseline'] => {
    const factors = arms.find(({ label }) => label === side.arm)?.factors;
    return factors === undefined ? side : { ...side, factors };
  };
  return { ...comparison, baseline: named(comparison.baseline), candidate: named(comparison.candidate) };
}

function groupByWorkload(table: TrialTable): Map<string, TrialRecord[]> {
  const groups = new Map<string, TrialRecord[]>();
  for (const { planned, record } of table.trials) {
    if (record === undefined) continue;
    const group = groups.get(planned.workload) ?? [];
    group.push(record);
    groups.set(planned.workload, group);
  }
  return groups;
}
