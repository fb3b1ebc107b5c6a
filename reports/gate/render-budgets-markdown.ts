import type { BudgetReport, BudgetVerdict } from '../../src/core/model/budget.ts';
import { namesFrom } from '../../src/core/model/names.ts';
import { armTitle } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatNumber, missing } from '../format/numbers.ts';
import { budgetDiscs } from '../format/verdict-colours.ts';
import { budgetTitles } from '../format/verdict-words.ts';
import { code, plain, table } from '../markdown/markdown-text.ts';

const head = ['', 'what', 'who', 'budget', 'median', '95 % interval', 'trials'];
/** A comment on a pull request may have 65 536 characters. */
const maxRows = 80;

/** The budgets as a comment for a pull request, what is exceeded first. */
export function renderBudgetsMarkdown(report: BudgetReport): string {
  const names = namesFrom(report.names);
  const order: readonly BudgetVerdict[] = ['exceeded', 'undecided', 'kept'];
  const sorted = report.checks.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const rows = sorted
    .slice(0, maxRows)
    .map((budget) => [
      `${budgetDiscs[budget.verdict]} ${budgetTitles[budget.verdict]}`,
      `${names.workload(budget.workload, budget.workloadKind)}, ${names.shortNetwork(budget.network)}: ${metricWords(budget.metric).title}`,
      armTitle(budget.arm),
      `${budget.bound} ${formatNumber(budget.limit)} ${budget.unit}`,
      `${formatNumber(budget.median)} ${budget.unit}`,
      budget.interval === null
        ? missing
        : `${formatNumber(budget.interval[0])} to ${formatNumber(budget.interval[1])}`,
      `${budget.n}`,
    ]);
  const [first = '', ...rest] = report.headline;
  return [
    `### ${budgetDiscs[report.outcome]} ${plain(first)}`,
    ...rest.map(plain),
    ...(rows.length > 0
      ? [
          table(
            head,
            rows.map((row) => row.map(plain)),
          ),
        ]
      : []),
    `Run it again: ${code(report.command)}`,
    '',
  ].join('\n\n');
}
