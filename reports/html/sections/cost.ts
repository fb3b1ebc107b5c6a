import { mediansAgree } from '../../../src/core/model/medians.ts';
import type { Comparison, Summary } from '../../../src/core/model/summary.ts';
import { comparedArms } from '../../format/labels.ts';
import { mediansApart } from '../../format/median-words.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatMeasured } from '../../format/numbers.ts';
import { effectText, formOf, intervalText, verdictSigns, verdictTitles } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { scrolling } from '../scrolling.ts';

export const costSectionId = 'cost';

/** What client, server and path pay for the same work, the most telling first. */
const costMetrics: readonly string[] = [
  'cpuSeconds',
  'networkingCpuSeconds',
  'cpuSecondsPerGigabyte',
  'serverCpuSeconds',
  'serverCpuSecondsPerGigabyte',
  'transportPacketsReceived',
  'packetsReceived',
  'packetsSent',
  'wireBytes',
  'syscalls',
  'contextSwitches',
  'connectionCount',
];
const maxRows = 12;

const isCost = (comparison: Comparison): boolean =>
  costMetrics.includes(comparison.metric) &&
  comparison.instrumentation === 'uninstrumented' &&
  formOf(comparison) !== 'none';

/** Whether the run says anything of what it costs. */
export function hasCost({ comparisons }: Pick<Summary, 'comparisons'>): boolean {
  return comparisons.some(isCost);
}

function row(comparison: Comparison, context: ReportContext): Markup {
  const { metric, unit, workload, workloadKind, baseline, candidate, verdict } = comparison;
  const place = context.conditionWords(comparison);
  return markup`<tr><th scope="row">${metricWords(metric).title}<small>${context.labels.workload(workload, workloadKind)}${place !== '' && `, ${place}`}</small></th>
    <td class="num">${formatMeasured(baseline.median, unit)}</td><td class="num">${mediansAgree(comparison) ? formatMeasured(candidate.median, unit) : markup`<span class="none" title="${mediansApart}">–</span>`}</td>
    <td class="num"><a href="#${context.anchorOf(comparison)}">${effectText(comparison)}</a><small>${intervalText(comparison)}</small></td>
    <td><span class="verdict v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictTitles[verdict]}</span></td></tr>`;
}

/** What the candidate costs client and server: CPU first, then packets and bytes. */
export function cost(context: ReportContext): Markup {
  const { summary } = context;
  const all = summary.comparisons.filter(isCost);
  if (all.length === 0) return markup``;
  const pooled = all.filter(({ workload }) => workload === 'pooled');
  const shown = [
    ...pooled,
    ...all.filter(
      (comparison) => !pooled.some(({ workloadKind }) => workloadKind === comparison.workloadKind),
    ),
  ]
    .toSorted((a, b) => costMetrics.indexOf(a.metric) - costMetrics.indexOf(b.metric))
    .slice(0, maxRows);
  const arms = comparedArms(summary);
  const rest = all.length - shown.length;
  return markup`<section id="${costSectionId}" aria-labelledby="cost-title"><h2 id="cost-title">Cost</h2>
    ${scrolling('Table of costs', markup`<table class="plain"><thead><tr><th scope="col">What</th><th scope="col">${arms.baseline}</th><th scope="col">${arms.candidate}</th><th scope="col">Change</th><th scope="col">Verdict</th></tr></thead><tbody>${shown.map((comparison) => row(comparison, context))}</tbody></table>`)}
    ${rest > 0 && markup`<p class="note">${rest} more <a href="#comparisons">in the table</a>.</p>`}
  </section>`;
}
