import type { TrialRecord } from '../../core/model/record.ts';

/** A trial that seems to begin this long before the one before it has ended tells of a clock that was set. */
const toleranceMs = 5_000;
/** Nothing runs for so long between two trials but in a run that was interrupted and resumed. */
const pauseMs = 60_000;
/** Dates that JavaScript can hold. */
const latestEpochMs = 8.64e15;

export interface RunTime {
  /** Of the first trial; null without any. */
  readonly startMs: number | null;
  /** From the first trial's start to the last one's end, without pauses; null without any. */
  readonly spanMs: number | null;
  /** By how much the clock of the day was set back meanwhile, ms; 0: not at all. */
  readonly setBackMs: number;
}

/**
 * When a run began and how long it took. Times of day may jump; how long a trial took is measured with a clock that
 * does not. So where a trial seems to begin before the one before it has ended, it is taken to have begun at that end.
 * A pause before a run was resumed is left out: what a block takes follows from the rest. A clock that is set forward
 * looks like a pause and cannot be told from one.
 *
 * @param records of one machine, in the order in which they ran
 */
export function timeOfRun(records: readonly TrialRecord[]): RunTime {
  let startMs: number | null = null;
  let beforeStartMs = 0;
  let beforeLengthMs = 0;
  let beforeDurationMs = 0;
  let spanMs = 0;
  let setBackMs = 0;
  for (const { status, startedAt, durationMs, postProcessMs } of records) {
    const trialStartMs = Date.parse(startedAt);
    if (status === 'not-run' || Number.isNaN(trialStartMs) || Math.abs(trialStartMs) > latestEpochMs)
      continue;
    if (startMs === null) startMs = trialStartMs;
    else {
      const passedMs = trialStartMs - beforeStartMs;
      const isSetBack = passedMs < beforeLengthMs - toleranceMs;
      const isPause = passedMs - beforeLengthMs > pauseMs;
      spanMs += isSetBack || isPause ? beforeLengthMs : passedMs;
      if (isSetBack) setBackMs += beforeLengthMs - passedMs;
    }
    beforeStartMs = trialStartMs;
    beforeLengthMs = durationMs + postProcessMs;
    beforeDurationMs = durationMs;
  }
  return { startMs, spanMs: startMs === null ? null : spanMs + beforeDurationMs, setBackMs };
}
