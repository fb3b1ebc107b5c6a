import type { Comparison } from '../../../src/model/summary.ts';
import type { WorkloadKind } from '../../../src/model/workload.ts';
import { kindTitles } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { effectText, verdictSigns } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

interface Column {
  readonly title: string;
  readonly note: string;
  readonly holds: (comparison: Comparison) => boolean;
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

/** Metrics as columns for a single condition; otherwise clients × networks as columns, for the primary metric. */
function columnsOf(comparisons: readonly Comparison[], context: ReportContext): Column[] {
  const placeOf = ({ client, network, server }: Comparison): string =>
    JSON.stringify([client, network, server]);
  const places = distinct(comparisons.map(placeOf));
  const main = comparisons.find(({ primary }) => primary) ?? comparisons[0];
  if (places.length < 2) {
    const metrics = distinct([...(main ? [main.metric] : []), ...comparisons.map(({ metric }) => metric)]);
    return metrics.map((metric) => ({
      title: metricWords(metric).title,
      note: metric === main?.metric && main.primary ? 'primary' : '',
      holds: (comparison) => comparison.metric === metric,
    }));
  }
  const { labels, clients, networks, servers } = context;
  return places.map((place) => {
    const [client = '', network = '', server = ''] = JSON.parse(place) as string[];
    const names = [
      clients.length > 1 ? labels.client(client) : '',
      networks.length > 1 ? labels.network(network) : '',
      servers.length > 1 ? labels.server(server) : '',
    ].filter(Boolean);
    return {
      title: names.join(', '),
      note: metricWords(main?.metric ?? '').title,
      holds: (comparison) => placeOf(comparison) === place && comparison.metric === main?.metric,
    };
  });
}

function cell(comparison: Comparison | undefined, context: ReportContext): Markup {
  if (!comparison)
    return markup`<td class="none"><span class="sr">not measured</span><span aria-hidden="true">·</span></td>`;
  const { verdict } = comparison;
  return markup`<td>
    <a class="score v-${verdict}" href="#${context.anchorOf(comparison)}"
      ><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span>
      <span class="num">${effectText(comparison)}</span><span class="word">${verdict}</span></a
    >
  </td>`;
}

/** Rows of the scorecard beyond this stand behind “show all”. */
const mostRows = 12;

function table(kind: WorkloadKind, context: ReportContext): Markup {
  const comparisons = context.summary.comparisons.filter(({ workloadKind }) => workloadKind === kind);
  if (comparisons.length === 0) return markup``;
  const columns = columnsOf(comparisons, context);
  const workloads = distinct(comparisons.map(({ workload }) => workload));
  const rows = workloads.map((workload, index) => {
    const own = comparisons.filter((comparison) => comparison.workload === workload);
    return markup`<tr class="${workload === 'pooled' ? 'pooled' : ''}${index >= mostRows ? ' extra' : ''}">
      <th scope="row">${context.labels.workload(workload, kind)}</th>
      ${columns.map((column) => cell(own.find(column.holds), context))}
    </tr>`;
  });
  const heads = columns.map(
    ({ title, note }) =>
      markup`<th scope="col">${title}${note !== '' && markup` <small>${note}</small>`}</th>`,
  );
  return markup`<h3>${kindTitles[kind]}</h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Scorecard: ${kindTitles[kind]}">
      <table class="scorecard${rows.length > mostRows ? ' folded' : ''}">
        <thead>
          <tr>
            <th scope="col">Workload</th>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${rows.length > mostRows && markup`<p class="unfold"><button type="button" class="js unfold-scorecard">Show all ${rows.length} rows</button></p>`}`;
}

/** Workloads against conditions or metrics: one sign, one number and one word a cell, each a link to its evidence. */
export function scorecard(context: ReportContext): Markup {
  if (context.summary.comparisons.length === 0) return markup``;
  const kinds: readonly WorkloadKind[] = ['page', 'video', 'download'];
  return markup`<section id="scorecard" aria-labelledby="scorecard-title">
    <h2 id="scorecard-title">Scorecard</h2>
    <ul class="key">
      <li class="v-better"><span class="sign" aria-hidden="true">▲</span> better</li>
      <li class="v-worse"><span class="sign" aria-hidden="true">▼</span> worse</li>
      <li class="v-equivalent">
        <span class="sign" aria-hidden="true">≈</span> equivalent: no difference that matters
      </li>
      <li class="v-inconclusive">
        <span class="sign" aria-hidden="true">?</span> inconclusive: more blocks are needed
      </li>
    </ul>
    ${kinds.map((kind) => table(kind, context))}
  </section>`;
}
