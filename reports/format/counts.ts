import type { Summary } from '../../src/core/model/summary.ts';
import { formatCount, plural } from './numbers.ts';

/** All trials of a run, whatever became of them. */
export function trialCount({ trials }: Summary): number {
  return trials.ok + trials.invalid + trials.failed + trials.unsupported + trials.notRun;
}

/** Trials that were begun; what a time budget left out says nothing of a run's worth. */
export function trialsBegun(summary: Summary): number {
  return trialCount(summary) - summary.trials.notRun;
}

/** `8 blocks`; of a run that did not come that far `8 of 20 blocks`, or `decided after 8 blocks` where it needed no more. */
export function blocksWords({ run, instrumentationOverhead }: Summary): string {
  const { timedBlocks } = instrumentationOverhead;
  if (run.decidedAfterBlocks !== undefined) return `decided after ${plural(run.decidedAfterBlocks, 'block')}`;
  return timedBlocks < run.repetitions
    ? `${formatCount(timedBlocks)} of ${plural(run.repetitions, 'block')}`
    : plural(timedBlocks, 'block');
}

/** Why there is no comparison at all, in words. */
export function nothingCompared(summary: Summary): string {
  const { run, trials } = summary;
  if (run.arms.length < 2) {
    return `This run has only one arm (${run.arms.join(', ') || 'none'}), so there is nothing to compare it with.`;
  }
  if (trials.ok === 0) {
    return trialCount(summary) === trials.notRun
      ? 'No trial has run yet, so there is nothing to compare.'
      : 'No trial was valid, so there is nothing to compare. Every trial is listed with its reason.';
  }
  return 'No metric has a value in both arms of any block, so there is nothing to compare.';
}
