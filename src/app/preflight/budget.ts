import { primaryFamilies } from '../../analyse/forecast/decidability.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { formatDuration } from '../duration.ts';
import { plural } from '../words.ts';
import { check, type Blocker } from './check.ts';
import type { PlannedTime } from './facts.ts';

const msPerMinute = 60_000;
/** The option that gives so much time. */
export const budgetFor = (ms: number): string => `--budget ${Math.ceil(ms / msPerMinute)}m`;

/** A budget must have room for one block, and that of a gate for as many as its first verdict needs. */
export const budget = check('budget', ['time'], (plan, { time }) => {
  const { budgetMs, pending } = time;
  if (budgetMs === undefined || pending.length === 0) return [];
  return noRoomForBlock(time, budgetMs) ?? noRoomForVerdict(plan, time, budgetMs);
});

/** What these trials take on an idle machine, ms. */
export function timeOf(trials: readonly PlannedTrial[], { expectedTrialMs }: PlannedTime): number {
  return trials.reduce((sum, trial) => sum + expectedTrialMs(trial), 0);
}

function noRoomForBlock(time: PlannedTime, budgetMs: number): Blocker[] | undefined {
  const { pending } = time;
  const first = pending.find(({ instrumentation }) => instrumentation === 'uninstrumented') ?? pending[0];
  const block = upToBlock(pending, (blockIndex) => blockIndex === first?.blockIndex);
  const blockMs = timeOf(block, time);
  if (blockMs <= budgetMs) return undefined;
  const blocks = new Set(pending.map(({ blockIndex }) => blockIndex)).size;
  const all = blocks > 1 ? `, ${budgetFor(timeOf(pending, time))} for all ${blocks}` : '';
  return [
    {
      code: 'usage',
      reason: `a budget of ${formatDuration(budgetMs)} has no room for a block, about ${formatDuration(blockMs)} for ${block.length === 1 ? 'its trial' : `its ${block.length} trials`}`,
      next: `${budgetFor(blockMs)} has room for one${all}; fewer workloads, clients or networks make it shorter.`,
    },
  ];
}

/** What runs until the last of these blocks is done: recorded blocks may come before it. */
export function upToBlock(
  pending: readonly PlannedTrial[],
  isWanted: (blockIndex: number) => boolean,
): readonly PlannedTrial[] {
  return pending.slice(0, 1 + pending.findLastIndex(({ blockIndex }) => isWanted(blockIndex)));
}

/** Blocks after which the first verdict can come; 1 where there is nothing to decide, or other hosts run the rest. */
export function blocksOfFirstVerdict(plan: Plan): number {
  if (plan.exploratory || plan.shard !== undefined || plan.queue !== undefined) return 1;
  const needed = primaryFamilies(plan).map(({ minBlocks }) => minBlocks);
  return plan.interims?.[0] ?? (needed.length === 0 ? 1 : Math.min(...needed));
}

/** How many of so many blocks a budget has room for; all of them without one. */
export function blocksWithin(
  { budgetMs = Infinity, pending, expectedTrialMs }: PlannedTime,
  most: number,
): number {
  let spentMs = 0;
  const beyond = pending.filter((trial) => {
    spentMs += expectedTrialMs(trial);
    return spentMs > budgetMs;
  });
  const first = beyond.reduce((least, { blockIndex }) => Math.min(least, blockIndex), most);
  return Math.max(0, first);
}

/**
 * A gate that cannot be decided in its time is refused. Any other run of so short a time tells what it saw, and is resumed by the command that it
 * prints. One that goes on has other blocks already, and its budget may bring it a step further.
 */
function noRoomForVerdict(plan: Plan, time: PlannedTime, budgetMs: number): Blocker[] {
  const { pending } = time;
  const needed = blocksOfFirstVerdict(plan);
  if (pending.length < plan.trials.length) return [];
  const neededMs = timeOf(
    upToBlock(pending, (blockIndex) => blockIndex < needed),
    time,
  );
  if (neededMs <= budgetMs) return [];
  const held = blocksWithin(time, needed);
  const reason = `a budget of ${formatDuration(budgetMs)} has room for ${held} of the ${plural(needed, 'block')} that a first verdict needs, about ${formatDuration(neededMs)}`;
  const fewer = 'name fewer workloads, sizes, clients or networks';
  if (plan.gate === true)
    return [{ code: 'usage', reason, next: `Give it more time (${budgetFor(neededMs)}), ${fewer}.` }];
  return [
    {
      code: 'usage',
      trialIds: [],
      reason: `${reason}, so it ends not decided`,
      next: `It says what it saw, and how it is resumed.${withoutRecorded(time, needed, held)} For a verdict give it more time (${budgetFor(neededMs)}), or ${fewer}.`,
    },
  ];
}

/** How many timed blocks the budget holds where none is recorded; empty where these are no more. */
function withoutRecorded(time: PlannedTime, needed: number, held: number): string {
  const timed = time.pending.filter(({ instrumentation }) => instrumentation === 'uninstrumented');
  const more = blocksWithin({ ...time, pending: timed }, needed);
  return more > held ? ` With --recorded 0 it has room for ${more}.` : '';
}
