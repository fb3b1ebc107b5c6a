import type { Comparison } from '../../../src/model/summary.ts';
import { nothingCompared } from '../../format/counts.ts';
import { armTitle, kindTitles } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatNumber, formatP, isNumber, plural } from '../../format/numbers.ts';
import {
  decidingP,
  effectText,
  formOf,
  intervalText,
  verdictOrder,
  verdictSigns,
} from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { intervalGraph } from './interval-graph.ts';

/** With more comparisons than this the table opens with the primary ones only. */
const mostUnfiltered = 60;

interface Head {
  readonly key: string;
  readonly title: string;
  readonly kind: 'text' | 'number';
  readonly className: string;
}

function heads(context: ReportContext): Head[] {
  const { baselineArm, candidateArm } = context.summary.run;
  const text = (key: string, title: string, className = ''): Head => ({
    key,
    title,
    kind: 'text',
    className,
  });
  const number = (key: string, title: string, className = ''): Head => ({
    key,
    title,
    kind: 'number',
    className,
  });
  return [
    text('workload', 'Workload'),
    text('metric', 'Metric'),
    number('baseline', `${armTitle(baselineArm)} median`, 'wide'),
    number('candidate', `${armTitle(candidateArm)} median`, 'wide'),
    number('effect', 'Change, 95 % interval'),
    number('n', 'n', 'wide'),
    number('p', 'p', 'wide'),
    text('verdict', 'Verdict'),
  ];
}

/** Sort keys are numbers in full; an absent one sorts last. */
function sortKey(value: number | null | undefined): string {
  return isNumber(value) ? String(value) : '';
}

function place(comparison: Comparison, context: ReportContext): string {
  const { labels, clients, networks, servers } = context;
  return [
    clients.length > 1 ? labels.client(comparison.client) : '',
    networks.length > 1 ? labels.network(comparison.network) : '',
    servers.length > 1 ? labels.server(comparison.server) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function effectKey(comparison: Comparison): string {
  return sortKey(formOf(comparison) === 'ratio' ? (comparison.ratio ?? NaN) - 1 : comparison.difference);
}

function median(arm: Comparison['baseline'], unit: string): Insert {
  return isNumber(arm.median)
    ? markup`${formatNumber(arm.median)} <small>${unit}</small>`
    : markup`<span class="none">none</span>`;
}

function row(comparison: Comparison, context: ReportContext): Markup {
  const { verdict, baseline, candidate, unit } = comparison;
  const id = context.anchorOf(comparison);
  const where = place(comparison, context);
  const p = decidingP(comparison);
  const workload = context.labels.workload(comparison.workload, comparison.workloadKind);
  const title = metricWords(comparison.metric).title;
  return markup`<tr
    id="${id}"
    data-verdict="${verdict}"
    data-kind="${comparison.workloadKind}"
    data-metric="${comparison.metric}"
    ${comparison.primary && markup` data-primary=""`}
  >
    <th scope="row">${workload}${where !== '' && markup`<small>${where}</small>`}</th>
    <td>${title}${comparison.primary && markup`<small class="tag">primary</small>`}</td>
    <td class="wide num" data-k="${sortKey(baseline.median)}">${median(baseline, unit)}</td>
    <td class="wide num" data-k="${sortKey(candidate.median)}">${median(candidate, unit)}</td>
    <td class="change" data-k="${effectKey(comparison)}">
      <b>${effectText(comparison)}</b><small>${intervalText(comparison)}</small>${intervalGraph(comparison)}
    </td>
    <td class="wide num" data-k="${comparison.blocks}">${comparison.blocks}</td>
    <td class="wide num" data-k="${sortKey(p)}">${formatP(p)}</td>
    <td data-k="${verdictOrder.indexOf(verdict)}">
      <span class="verdict v-${verdict}"
        ><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${verdict}</span
      >
    </td>
  </tr> `;
}

function option(value: string, title: string): Markup {
  return markup`<option value="${value}">${title}</option>`;
}

function filters(context: ReportContext): Markup {
  const { comparisons } = context.summary;
  const metrics = [...new Set(comparisons.map(({ metric }) => metric))];
  const kinds = [...new Set(comparisons.map(({ workloadKind }) => workloadKind))];
  const startPrimary = comparisons.length > mostUnfiltered && comparisons.some(({ primary }) => primary);
  return markup`<form class="filters js" id="filters">
      <label
        >Search <input type="search" name="text" placeholder="workload, metric, browser" autocomplete="off"
      /></label>
      ${
        kinds.length > 1 &&
        markup`<label
          >Kind
          <select name="kind">
            ${option('', 'all kinds')}${kinds.map((kind) => option(kind, kindTitles[kind]))}
          </select></label
        >`
      }
      <label
        >Metric
        <select name="metric">
          ${option('', 'all metrics')}${metrics.map((metric) => option(metric, metricWords(metric).title))}
        </select></label
      >
      <label
        >Verdict
        <select name="verdict">
          ${option('', 'all verdicts')}${verdictOrder.map((verdict) => option(verdict, `${verdictSigns[verdict]} ${verdict}`))}
        </select></label
      >
      <label class="check"
        ><input type="checkbox" name="primary" ${startPrimary && markup` checked`} /> primary only</label
      >
      <span class="actions"
        ><button type="reset">Clear</button><button type="button" id="copy-table">Copy as CSV</button></span
      >
    </form>
    <p class="js shown" id="shown" role="status"></p>`;
}

/** Every comparison with its medians, effect, interval, n, p and verdict; the page's script sorts and filters it. */
export function comparisonTable(context: ReportContext): Markup {
  const { comparisons } = context.summary;
  const title = markup`<h2 id="comparisons-title">All comparisons</h2>`;
  if (comparisons.length === 0) {
    return markup`<section id="comparisons" aria-labelledby="comparisons-title">
      ${title}
      <p class="empty">${nothingCompared(context.summary)}</p>
    </section>`;
  }
  const columns = heads(context).map(
    ({ key, title: text, kind, className }) =>
      markup`<th scope="col" class="${className}" data-key="${key}" data-type="${kind}" aria-sort="none">
        <button type="button" class="sort">${text}</button>
      </th>`,
  );
  return markup`<section id="comparisons" aria-labelledby="comparisons-title">
    ${title}
    <p class="note">
      ${plural(comparisons.length, 'comparison')} of ${armTitle(context.summary.run.candidateArm)} against
      ${armTitle(context.summary.run.baselineArm)}; n counts blocks in which both have a value, p is adjusted
      for its family of comparisons. Open a row for its plot.
    </p>
    ${filters(context)}
    <div class="scroll" tabindex="0" role="region" aria-label="All comparisons">
      <table class="comparisons" id="comparison-table">
        <thead>
          <tr>
            ${columns}
          </tr>
        </thead>
        <tbody>
          ${comparisons.map((comparison) => row(comparison, context))}
        </tbody>
      </table>
    </div>
  </section>`;
}
