import type { BudgetReport } from '../../core/model/budget.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import type { Gate } from '../../core/model/gate.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { exitCodeOfBudgets, judgeBudgetsOf } from '../report/budget-outputs.ts';
import { exitCodeOfGate, judgeDirectory } from '../report/gate-outputs.ts';
import { exitCodeOfRun } from '../judge/exit-code-of-run.ts';
import { writeReports, writeSummary } from '../report/publish.ts';
import { resumeStep } from '../judge/with-resume.ts';

/** A run that was carried out, analysed and reported. */
export interface FinishedRun {
  readonly directory: RunDirectory;
  readonly summary: Summary;
  /** Path of `report.html`. */
  readonly reportPath: string;
  /** What came of the plan's budgets; null where it has none. */
  readonly budgets: BudgetReport | null;
  /** What the gate says; null of a run that is none. */
  readonly gate: Gate | null;
  /** 0, or 4 when too many trials failed; of a gate or with budgets 1 when one says worse, 5 when one is undecided and `strict`. */
  readonly exitCode: ExitCode;
}

/**
 * Analyses and reports a run that is over; of one whose time ended before it was decided, says the command that resumes it.
 *
 * @param strict whether an undecided gate or budget is a result of its own; default: as the run was begun, else of a gate yes
 */
export async function publishRun(
  directory: RunDirectory,
  { progress }: Pick<AppContext, 'progress'>,
  strict = directory.plan.strict ?? directory.plan.gate === true,
): Promise<FinishedRun> {
  const step = resumeStep(directory);
  if (step !== null) progress.say(`the time budget ended the run early. Continue with:  npx ${step.command}`);
  progress.show('analysing …');
  const summary = writeSummary(directory);
  const reportPath = await writeReports(directory, summary, (line) => progress.say(line));
  const budgets = judgeBudgetsOf(directory, strict);
  const gate = directory.plan.gate === true ? judgeDirectory(directory, { strict }) : null;
  progress.clear();
  return {
    directory,
    summary,
    reportPath,
    budgets,
    gate,
    exitCode: gate === null ? exitCodeWithBudgets(directory, budgets, strict) : exitCodeOfGate(gate, strict),
  };
}

function exitCodeWithBudgets(
  directory: RunDirectory,
  budgets: BudgetReport | null,
  strict: boolean,
): ExitCode {
  return budgets === null
    ? exitCodeOfRun(directory.plan, directory.journal().records)
    : exitCodeOfBudgets(budgets, strict);
}
