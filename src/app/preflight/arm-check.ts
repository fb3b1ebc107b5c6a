import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { check, type Check, type Blocker } from './check.ts';
import type { Facts } from './facts.ts';

/** A check of what arms set, which no other arm can make good: trials that are alike but for their block are judged once. */
export function armCheck<Need extends keyof Facts = never>(
  id: string,
  needs: readonly Need[],
  judge: (trial: PlannedTrial, facts: Pick<Facts, Need>, plan: Plan) => readonly Blocker[],
): Check {
  return check(id, needs, (plan, facts) => {
    const alike = new Map(
      plan.trials.map((trial) => {
        const { arm, workload, client, network, server } = trial;
        return [[arm, workload, client, network, server].join('\u0000'), trial];
      }),
    );
    return [...alike.values()].flatMap((trial) => judge(trial, facts, plan));
  });
}
