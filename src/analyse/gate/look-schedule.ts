import type { Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import { scheduledLevels } from '../sequential-look.ts';

/** A look that is due: judged on the first `blocks` blocks at `level`. */
export interface DueLook {
  readonly blocks: number;
  readonly level: number;
}

/** Blocks at the start of the plan in which every trial has run, whatever came of it. */
export function completeBlocks(plan: Plan, records: readonly TrialRecord[]): number {
  const ran = new Set(records.filter(({ status }) => status !== 'not-run').map(({ trialId }) => trialId));
  const open = plan.trials.filter(({ trialId }) => !ran.has(trialId)).map(({ blockIndex }) => blockIndex);
  return Math.min(plan.repetitions, ...open);
}

/**
 * The looks that `blocks` blocks allow. A plan without looks is judged once, on all its blocks at 5 %. A
 * sequential run that ended between two looks (its budget was used up) gets one more at its end: the spending
 * function of Lan & DeMets allows looks at any time that does not depend on the effect.
 */
export function dueLooks(plan: Plan, blocks: number, mayEndEarly: boolean): DueLook[] {
  const { looks } = plan;
  if (looks === undefined) return [{ blocks, level: defaultAlpha }];
  const done = looks.filter((look) => look <= blocks);
  const between = mayEndEarly && blocks > (done.at(-1) ?? 0);
  const taken = between ? [...done, blocks] : done;
  const levels = scheduledLevels({ looks: [...taken, ...looks.filter((look) => look > blocks)] });
  return taken.map((look, index) => ({ blocks: look, level: levels[index] ?? 0 }));
}
