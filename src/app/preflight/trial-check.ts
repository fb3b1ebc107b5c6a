import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { check, type Check, type Blocker } from './check.ts';
import type { Facts } from './facts.ts';

/** Why a trial cannot work, and what could. */
export interface TrialRefusal extends Pick<Blocker, 'reason' | 'next'> {
  /** Absent: the user asked for what cannot be. */
  readonly code?: Blocker['code'];
}

/** A check that judges one trial at a time: a reason that several have is one blocker. */
export function trialCheck<Need extends keyof Facts = never>(
  id: string,
  needs: readonly Need[],
  refusalOf: (
    trial: PlannedTrial,
    facts: Pick<Facts, Need>,
    plan: Plan,
  ) => TrialRefusal | undefined | Promise<TrialRefusal | undefined>,
): Check {
  return check(id, needs, async (plan, facts) => {
    const refused = new Map<string, TrialRefusal & { readonly trialIds: string[] }>();
    for (const trial of plan.trials) {
      const refusal = await refusalOf(trial, facts, plan);
      if (refusal === undefined) continue;
      const known = refused.get(refusal.reason) ?? { ...refusal, trialIds: [] };
      known.trialIds.push(trial.trialId);
      refused.set(refusal.reason, known);
    }
    return [...refused.values()].map((refusal): Blocker => ({ code: 'usage', ...refusal }));
  });
}
