import { describeSample } from '../../analyse/statistics/quantile.ts';
import { isLeftByBudget } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { givenPath } from '../given-path.ts';
import { shellWord } from '../../core/model/command-words.ts';

/** A budget leaves room for what trials of another hour, or under other load, take. */
const budgetFactor = 1.5;
/** What goes on asks for an hour at most; the same command goes on again. */
const maxMinutes = 60;

/** The command that resumes a run whose time budget ended it; null where the budget left nothing out. */
export function resumeCommand(directory: RunDirectory): string | null {
  const { records } = directory.journal();
  const left = records.some(isLeftByBudget);
  return left ? `h2h3 run --resume ${shellWord(givenPath(directory.path))}` : null;
}

/** From the begin of one trial to that of the next, by the median: a pause before the run was resumed is no part of it. */
function turnMs(directory: RunDirectory): number | null {
  const { records } = directory.journal();
  const beginsMs = records
    .filter(({ status }) => status !== 'not-run' && status !== 'unsupported')
    .map(({ startedAt }) => Date.parse(startedAt))
    .sort((a, b) => a - b);
  const turns = beginsMs.slice(1).map((beginMs, i) => beginMs - (beginsMs[i] ?? beginMs));
  return describeSample(turns).median;
}

/**
 * Where a time budget ended a run, measuring more is resuming it: what is measured already counts, and the plan has
 * the blocks. The summary itself knows of no folder.
 */
export function withResume(directory: RunDirectory, summary: Summary): Summary {
  const command = resumeCommand(directory);
  const { trials, answers } = summary;
  if (command === null) return summary;
  const trialMs = turnMs(directory);
  const minutes =
    trialMs === null
      ? null
      : Math.min(maxMinutes, Math.max(1, Math.round((trialMs * trials.notRun) / 60_000)));
  const budget = minutes === null ? '' : ` --budget ${Math.ceil(minutes * budgetFactor)}m`;
  return {
    ...summary,
    answers: answers.map((answer) =>
      answer.action === 'measure-more'
        ? {
            ...answer,
            command: `${command}${budget}`,
            minutes: minutes === null ? null : ([minutes, minutes] as [number, number]),
          }
        : answer,
    ),
  };
}
