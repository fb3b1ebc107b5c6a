import { cheaperWords } from '../../analyse/answers/cheaper.ts';
import { describeSample } from '../../analyse/statistics/quantile.ts';
import type { Answer } from '../../core/model/answer.ts';
import { isLeftByBudget, type TrialRecord } from '../../core/model/record.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { givenPath } from '../given-path.ts';
import { shellWord } from '../../core/model/command-words.ts';

/** A budget leaves room for what trials of another hour, or under other load, take. */
const budgetFactor = 1.5;
/** What goes on asks for an hour at most; the same command goes on again. */
const maxMinutes = 60;

/** What resumes a run whose time budget ended it. */
export interface ResumeStep {
  readonly command: string;
  /** What it takes on this machine; null where that is not known. */
  readonly minutes: number | null;
  /** What costs less, a sentence; undefined where it takes about as long as the run did. */
  readonly cheaper: string | undefined;
}

const isMeasured = ({ status }: TrialRecord): boolean => status !== 'not-run' && status !== 'unsupported';

/** From the begin of one trial to that of the next, by the median: a pause before the run was resumed is no part of it. */
function turnMs(records: readonly TrialRecord[]): number | null {
  const beginsMs = records
    .filter(isMeasured)
    .map(({ startedAt }) => Date.parse(startedAt))
    .sort((a, b) => a - b);
  const turns = beginsMs.slice(1).map((beginMs, i) => beginMs - (beginsMs[i] ?? beginMs));
  return describeSample(turns).median;
}

/**
 * How to resume a run whose time budget ended it; null where the budget left nothing out. What is measured already
 * counts, and the plan has the blocks.
 */
export function resumeStep(directory: RunDirectory): ResumeStep | null {
  const { records } = directory.journal();
  if (!records.some(isLeftByBudget)) return null;
  const done = new Set(records.filter(({ status }) => status !== 'not-run').map(({ trialId }) => trialId));
  const left = directory.plan.trials.length - done.size;
  const trialMs = turnMs(records);
  const minutes =
    trialMs === null ? null : Math.min(maxMinutes, Math.max(1, Math.round((trialMs * left) / 60_000)));
  const budget = minutes === null ? '' : ` --budget ${Math.ceil(minutes * budgetFactor)}m`;
  const spentMinutes = trialMs === null ? null : (trialMs * records.filter(isMeasured).length) / 60_000;
  return {
    command: `h2h3 run --resume ${shellWord(givenPath(directory.path))}${budget}`,
    minutes,
    cheaper: cheaperWords(minutes, spentMinutes, []),
  };
}

/** What to do about answers where a time budget ended the run: measuring more is resuming it. They know of no folder. */
export function withResume(directory: RunDirectory, answers: readonly Answer[]): readonly Answer[] {
  const step = resumeStep(directory);
  if (step === null) return answers;
  return answers.map((answer) => {
    if (answer.action !== 'measure-more') return answer;
    const { command, minutes, cheaper } = step;
    return { ...answer, command, minutes: minutes === null ? null : [minutes, minutes], cheaper };
  });
}
