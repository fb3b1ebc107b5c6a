import { judgeBudgets } from '../../analyse/gate/judge-budgets.ts';
import type { BudgetReport } from '../../core/model/budget.ts';
import { exitCodes } from '../../core/model/exit-codes.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { exitCodeOfRun } from './exit-code-of-run.ts';

/** How a run keeps the budgets of its plan; null where it has none. */
export function judgedBudgets(directory: RunDirectory): BudgetReport | null {
  const { plan } = directory;
  if (plan.budgets === undefined) return null;
  const { records } = directory.journal();
  return judgeBudgets(plan, records, {
    environment: directory.environment(),
    trialsFailed: exitCodeOfRun(plan, records) !== exitCodes.ok,
  });
}
