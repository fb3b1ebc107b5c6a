import { H2h3Error } from '../../model/errors.ts';
import type { PlannedTrial } from '../../model/plan.ts';
import { formatDuration } from '../duration.ts';

const msPerMinute = 60_000;

/**
 * Refuses a budget in which not even one block has room, before anything is started or warmed up for it.
 *
 * @throws H2h3Error `usage` with the budgets that have room for one block and for all.
 */
export function requireBudget(
  pending: readonly PlannedTrial[],
  expectedTrialMs: (trial: PlannedTrial) => number,
  budgetMs: number | undefined,
): void {
  const timeOf = (trials: readonly PlannedTrial[]): number =>
    trials.reduce((sum, trial) => sum + expectedTrialMs(trial), 0);
  const block = pending.filter(({ blockIndex }) => blockIndex === pending[0]?.blockIndex);
  const blockMs = timeOf(block);
  if (budgetMs === undefined || blockMs <= budgetMs) return;
  const budgetFor = (ms: number): string => `--budget ${Math.ceil(ms / msPerMinute)}m`;
  const blocks = new Set(pending.map(({ blockIndex }) => blockIndex)).size;
  const all = blocks > 1 ? `, ${budgetFor(timeOf(pending))} for all ${blocks}` : '';
  throw new H2h3Error(
    'usage',
    `a budget of ${formatDuration(budgetMs)} has no room for a block, about ${formatDuration(blockMs)} for ${block.length === 1 ? 'its trial' : `its ${block.length} trials`}`,
    {
      next: `${budgetFor(blockMs)} has room for one${all}; fewer workloads, clients or networks make it shorter.`,
    },
  );
}
