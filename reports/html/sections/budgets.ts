import type { BudgetCheck, BudgetReport, BudgetVerdict } from '../../../src/core/model/budget.ts';
import { namesFrom } from '../../../src/core/model/names.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatNumber, missing } from '../../format/numbers.ts';
import { budgetTitles } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { scrolling } from '../scrolling.ts';
import { maxLines, truncated } from './long-lists.ts';

/** What needs a reader comes first. */
const order: readonly BudgetVerdict[] = ['exceeded', 'undecided', 'kept'];
const signs: Readonly<Record<BudgetVerdict, string>> = { kept: '✓', exceeded: '✕', undecided: '?' };
const tones = { kept: 'better', exceeded: 'worse', undecided: 'inconclusive' } as const;

function row(check: BudgetCheck, names: ReturnType<typeof namesFrom>): Markup {
  const { workload, workloadKind, network, arm, metric, bound, limit, unit, median, interval, n } = check;
  const { verdict } = check;
  return markup`<tr>
      <th scope="row">${names.workload(workload, workloadKind)}<small>${names.shortNetwork(network)}</small></th>
      <td>${armTitle(arm)}</td>
      <td>${metricWords(metric).title}</td>
      <td class="num">${bound} ${formatNumber(limit)} <small>${unit}</small></td>
      <td class="num">${median === null ? missing : markup`${formatNumber(median)} <small>${unit}</small>`}</td>
      <td class="num">${interval === null ? missing : `${formatNumber(interval[0])} to ${formatNumber(interval[1])}`}</td>
      <td class="num">${n}</td>
      <td><span class="verdict v-${tones[verdict]}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${budgetTitles[verdict]}</span></td>
    </tr>`;
}

/** The limits that a run had to keep, what is exceeded first. Empty where it had none. */
export function budgets(report: BudgetReport | null): Markup {
  if (report === null) return markup``;
  const names = namesFrom(report.names);
  const sorted = report.checks.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const heads = [
    'Page or session',
    'Arm',
    'Metric',
    'Budget',
    'Median',
    '95 % interval',
    'Trials',
    'Outcome',
  ];
  return markup`<section id="budgets" aria-labelledby="budgets-title">
    <h2 id="budgets-title">Budgets</h2>
    ${report.headline.map((sentence) => markup`<p>${sentence}</p>`)}
    <p class="note">A budget is exceeded or kept only where the interval of the median leaves no doubt.</p>
    ${scrolling(
      'Budgets',
      markup`<table class="plain"><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${sorted.slice(0, maxLines).map((check) => row(check, names))}</tbody></table>`,
    )}${truncated(sorted.length)}
  </section>`;
}
