import { renderBudgetsJunit } from '../../../reports/gate/render-budgets-junit.ts';
import { renderBudgetsMarkdown } from '../../../reports/gate/render-budgets-markdown.ts';
import type { BudgetReport } from '../../core/model/budget.ts';
import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { judgedBudgets } from '../judge/judged-budgets.ts';

/** Judges a run by its plan's budgets and writes `budgets.json`, `budgets.md` and `budgets.junit.xml` into it; null where it has none. */
export function judgeBudgetsOf(directory: RunDirectory, strict: boolean): BudgetReport | null {
  const report = judgedBudgets(directory);
  if (report === null) return null;
  directory.write('budgets.json', `${JSON.stringify(report, null, 1)}\n`);
  directory.write('budgets.md', renderBudgetsMarkdown(report));
  directory.write('budgets.junit.xml', renderBudgetsJunit(report, { strict }));
  return report;
}

/** 1 exceeded for certain, 4 too many trials lost, 5 undecided under `--strict`, else 0. */
export function exitCodeOfBudgets({ outcome, trialsFailed }: BudgetReport, strict: boolean): ExitCode {
  if (outcome === 'exceeded') return exitCodes.gateWorse;
  if (trialsFailed) return exitCodes.trialsFailed;
  return outcome === 'undecided' && strict ? exitCodes.undecided : exitCodes.ok;
}
