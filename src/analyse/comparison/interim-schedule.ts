import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { PlannedInterim } from '../statistics/alpha-spending.ts';

/** Blocks at the start of the plan in which every trial has run, whatever came of it. */
export function completeBlocks(plan: Plan, records: readonly TrialRecord[]): number {
  const ran = new Set(records.filter(({ status }) => status !== 'not-run').map(({ trialId }) => trialId));
  const open = plan.trials.filter(({ trialId }) => !ran.has(trialId)).map(({ blockIndex }) => blockIndex);
  return Math.min(plan.repetitions, ...open);
}

/** Whether every trial was run or left out on purpose: nothing more comes of itself. */
export function hasEnded(plan: Plan, records: readonly TrialRecord[]): boolean {
  const told = new Set(records.map(({ trialId }) => trialId));
  return plan.trials.every(({ trialId }) => told.has(trialId));
}

/**
 * The interim analyses of a sequential run up to its planned end, with the share of the error that may be spent by each: linear in the
 * blocks. An end for want of time spends all that is left (the spending function of Lan & DeMets allows a look at any time
 * that does not depend on the effect). A run that is resumed after such an end begins a second error of the same
 * size: its later interim analyses have a share above one, and what they say holds at twice the level.
 *
 * @param endAt the blocks at which the run ends now, for want of time or blocks; null while it goes on
 */
export function interimSchedule(
  planned: readonly number[],
  ends: readonly number[],
  endAt: number | null,
): PlannedInterim[] {
  const most = planned.at(-1) ?? 1;
  const allEnds = endAt === null || endAt >= most ? [...ends] : [...ends, endAt];
  const blocks = [...new Set([...planned, ...allEnds])]
    .filter((interim) => interim > 0)
    .sort((a, b) => a - b);
  return blocks.map((interim) => {
    const before = allEnds.filter((end) => end < interim).length;
    return { blocks: interim, share: before + (allEnds.includes(interim) ? 1 : interim / most) };
  });
}
