import { H2h3Error } from '../core/model/errors.ts';
import { blocksToRun, type BlockCounts } from './blocks.ts';
import type { PlanFile } from './plan-file.ts';

function requireTrials(trials: number, limit: number): void {
  if (trials <= limit) return;
  throw new H2h3Error('usage', `this plan has ${trials} trials, more than ${limit} are not run unasked`, {
    context: { expected: `at most ${limit} trials`, got: String(trials) },
    next: 'Cross fewer things, or raise the limit with --max-trials or `maxTrials` in the plan file.',
  });
}

function blocksOf({ interims, repetitions }: PlanFile): number {
  return interims?.at(-1) ?? repetitions;
}

/** Counts the trials of a grid before anything of it is made. @throws H2h3Error `usage` when they are too many */
export function requireModestGrid(file: PlanFile): void {
  const { grid } = file;
  if (!grid) return;
  const points = grid.rateMbps.length * grid.rttMs.length * grid.lossPercent.length;
  const downloads = grid.size.length * grid.count.length;
  const perPoint = file.clients.length * file.servers.length * file.arms.length * blocksOf(file);
  requireTrials(points * downloads * perPoint, file.maxTrials);
}

/** Counts the trials of a plan before any of them is made. @throws H2h3Error `usage` when they are too many */
export function requireModestPlan(file: PlanFile, conditions: number, counts: BlockCounts): void {
  requireTrials(conditions * file.arms.length * blocksToRun(counts), file.maxTrials);
}
