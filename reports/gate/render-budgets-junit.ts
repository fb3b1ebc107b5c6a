import type { BudgetCheck, BudgetReport } from '../../src/core/model/budget.ts';
import { namesFrom, type Names } from '../../src/core/model/names.ts';
import { armTitle, kindTitles } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { junitSuite, type JunitCase } from './junit-suite.ts';
import type { GateJunitOptions } from './render-gate-junit.ts';

function caseOf(check: BudgetCheck, names: Names, strict: boolean): JunitCase {
  const { verdict, workload, workloadKind, network, server, arm, metric, sentence } = check;
  const outcome = verdict === 'exceeded' || (verdict === 'undecided' && strict) ? 'failure' : 'skipped';
  return {
    className: [kindTitles[workloadKind], names.network(network), names.server(server)].join(', '),
    name: `${names.workload(workload, workloadKind)}: ${metricWords(metric).title}: ${armTitle(arm)}`,
    outcome: verdict === 'kept' ? 'passed' : outcome,
    sentence,
  };
}

/** JUnit XML: a case a budget (exceeded fails, undecided is skipped or, when strict, fails), one for the run. */
export function renderBudgetsJunit(report: BudgetReport, { strict }: GateJunitOptions): string {
  const names = namesFrom(report.names);
  return junitSuite({
    name: `h2h3 budgets ${report.run}`,
    cases: report.checks.map((check) => caseOf(check, names, strict)),
    failure: report.trialsFailed ? report.headline.join(' ') : undefined,
  });
}
