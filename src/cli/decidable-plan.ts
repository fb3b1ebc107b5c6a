import { decidability, type Decidability } from '../analyse/decidability.ts';
import { H2h3Error } from '../model/errors.ts';
import type { Plan } from '../model/plan.ts';
import type { WorkloadKind } from '../model/workload.ts';

export interface FamilyDecidability extends Decidability {
  readonly kind: WorkloadKind;
  readonly metric: string;
  readonly comparisons: number;
}

/** For each kind of workload: how many primary comparisons there are and whether that many blocks can decide them. */
export function planDecidability(plan: Plan): FamilyDecidability[] {
  if (plan.arms.length < 2) return [];
  const kinds = [...new Set(plan.workloads.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const ids = new Set(plan.workloads.filter((workload) => workload.kind === kind).map(({ id }) => id));
    const conditions = plan.conditions.filter(({ workload }) => ids.has(workload));
    const places = new Set(
      conditions.map(({ client, network, server }) => [client, network, server].join('\u0000')),
    );
    const pooled = plan.pooled[kind] === true && ids.size > 1;
    const comparisons = pooled ? places.size : conditions.length;
    return {
      kind,
      metric: plan.primary[kind] ?? '',
      comparisons,
      ...decidability(comparisons, plan.repetitions),
    };
  });
}

/** @throws H2h3Error `usage` for a plan whose outcome is known beforehand: inconclusive. */
export function requireDecidable(plan: Plan): void {
  if (plan.exploratory) return;
  const hopeless = planDecidability(plan).filter(({ canDecide }) => !canDecide);
  if (hopeless.length === 0) return;
  const lines = hopeless.map(
    ({ kind, metric, comparisons, smallestAdjustedPValue, blocksNeeded }) =>
      `${kind}: ${comparisons} primary comparison(s) of ${metric} with ${plan.repetitions} blocks reach p = ${smallestAdjustedPValue.toPrecision(2)} at best; ${blocksNeeded} blocks are needed`,
  );
  throw new H2h3Error('usage', `this plan could never decide\n  ${lines.join('\n  ')}`, {
    next: `Use --repetitions ${Math.max(...hopeless.map(({ blocksNeeded }) => blocksNeeded))}, name fewer conditions, or say --exploratory.`,
  });
}
