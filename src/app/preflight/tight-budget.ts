import { formatDuration } from '../duration.ts';
import { plural } from '../words.ts';
import { blocksOfFirstVerdict, budgetFor, timeOf, upToBlock } from './budget.ts';
import { check } from './check.ts';

/** A machine that is not idle takes longer than is expected: so much of a budget may be planned for. */
const plannedShare = 0.8;

/** A budget that hardly holds a first verdict, or of a run that goes on none: it begins, and is told what to expect. */
export const tightBudget = check('tight-budget', ['time'], (plan, { time }) => {
  const { budgetMs, pending } = time;
  const needed = blocksOfFirstVerdict(plan);
  if (budgetMs === undefined || needed <= 1) return [];
  const first = upToBlock(pending, (blockIndex) => blockIndex < needed);
  const neededMs = timeOf(first, time);
  const isResumed = pending.length < plan.trials.length;
  // Of a run that begins with less than it needs the check of its budget speaks.
  const isToldThere = !isResumed && neededMs > budgetMs;
  if (isToldThere || neededMs <= plannedShare * budgetMs) return [];
  const timed = first.filter(({ instrumentation }) => instrumentation === 'uninstrumented');
  const blocks = plural(new Set(timed.map(({ blockIndex }) => blockIndex)).size, 'block');
  return [
    {
      code: 'usage',
      trialIds: [],
      reason: `a budget of ${formatDuration(budgetMs)} has ${neededMs > budgetMs ? 'no' : 'little'} room for the ${blocks} that a first verdict ${isResumed ? 'still ' : ''}needs, about ${formatDuration(neededMs)} on an idle machine: ${budgetFor(neededMs / plannedShare)} has. What it leaves out, npx h2h3 run --resume measures later`,
    },
  ];
});
