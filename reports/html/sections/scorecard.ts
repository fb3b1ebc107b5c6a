import type { Comparison } from '../../../src/core/model/summary.ts';
import type { WorkloadKind } from '../../../src/core/model/workload.ts';
import { kindTitles } from '../../format/labels.ts';
import { isNumber } from '../../format/numbers.ts';
import { metricWords } from '../../format/metric-words.ts';
import {
  advantageInMargins,
  effectText,
  formOf,
  verdictOrder,
  verdictSigns,
  verdictTitles,
} from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import { primaryCards } from './primary-cards.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

interface Column {
  readonly title: string;
  readonly note: string;
  readonly holds: (comparison: Comparison) => boolean;
}

/** What users notice first, then what explains it; other metrics follow as they come. */
const interest: readonly string[] = [
  'pltMs',
  'speedIndexMs',
  'lcpMs',
  'fcpMs',
  'cdtMs',
  'ttfbMs',
  'connectMs',
  'startupDelayMs',
  'stallTotalMs',
  'frameLatencyMs',
  'lostFrames',
  'averageChunkBitrateKbps',
  'switchCount',
  'meanChunkThroughputMbps',
  'qoeScore',
  'meanVmaf',
  'qoeVmaf',
  'throughputMbps',
  'totalRequestTimeMs',
  'timeToFirstByteMs',
  'uploadMs',
  'uploadMbps',
  'uploadStallMs',
  'messageP99Ms',
  'messageP90Ms',
  'messageP50Ms',
  'lostMessages',
  'blockedMessages',
  'cpuSeconds',
  'networkingCpuSeconds',
];
/** Primaries that stand behind what a viewer feels. */
const feltFirst: readonly string[] = ['meanChunkThroughputMbps', 'averageChunkBitrateKbps'];
/** Columns of metrics; more do not fit a screen. */
const maxColumns = 8;
/** Rows beyond this stand behind “show all”. */
const maxRows = 12;

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

/** The metric that decides comes first, except that video leads with what viewers feel. */
function rank(metric: string, main: string): number {
  if (metric === main && !feltFirst.includes(main)) return -1;
  const place = interest.indexOf(metric);
  return place < 0 ? interest.length : place;
}

/** Metrics as columns for a single condition; otherwise conditions as columns, for the primary metric. */
function columnsOf(comparisons: readonly Comparison[], context: ReportContext): Column[] {
  const main = comparisons.find(({ primary }) => primary) ?? comparisons[0];
  const places = distinct(comparisons.map(context.conditionWords));
  if (places.length > 1) {
    return places.map((place) => ({
      title: place,
      note: metricWords(main?.metric ?? '').title,
      holds: (comparison) =>
        context.conditionWords(comparison) === place && comparison.metric === main?.metric,
    }));
  }
  const metrics = distinct(comparisons.map(({ metric }) => metric));
  return metrics
    .toSorted((a, b) => rank(a, main?.metric ?? '') - rank(b, main?.metric ?? ''))
    .slice(0, maxColumns)
    .map((metric) => ({
      title: metricWords(metric).title,
      note: metric === main?.metric && main.primary ? 'primary' : '',
      holds: (comparison) => comparison.metric === metric,
    }));
}

function cell(comparison: Comparison | undefined, context: ReportContext): Markup {
  if (!comparison) {
    return markup`<td class="none"><span class="sr">not measured</span><span aria-hidden="true">·</span></td>`;
  }
  const { verdict } = comparison;
  return markup`<td><a class="score v-${verdict}" href="#${context.anchorOf(comparison)}"><span class="num"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${effectText(comparison)}</span> <span class="word">${verdictTitles[verdict]}</span></a></td>`;
}

/** How far the worst cell of a workload loses, in practical margins. */
function lossOf(cells: readonly Comparison[]): number {
  const losses = cells.map((comparison) => {
    const value = (formOf(comparison) === 'ratio' ? comparison.ratio : comparison.difference) ?? NaN;
    return -(advantageInMargins(comparison, value) ?? -Infinity);
  });
  return Math.max(...losses.filter(isNumber), -Infinity);
}

/** A pool stays on top; of the others those that lose most come first. */
function worstFirst(workloads: readonly string[], shown: readonly Comparison[]): string[] {
  const cells = Map.groupBy(shown, ({ workload }) => workload);
  const losses = new Map(workloads.map((workload) => [workload, lossOf(cells.get(workload) ?? [])]));
  const lossAt = (workload: string): number => losses.get(workload) ?? -Infinity;
  return workloads.toSorted(
    (a, b) => Number(b === 'pooled') - Number(a === 'pooled') || lossAt(b) - lossAt(a),
  );
}

/** How many comparisons of a kind came out how, as one bar and in words. */
function tally(comparisons: readonly Comparison[]): Markup {
  const counts = verdictOrder
    .map((verdict) => ({
      verdict,
      count: comparisons.filter((comparison) => comparison.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0);
  const words = counts.map(
    ({ verdict, count }) =>
      markup`<li class="v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${count} ${verdictTitles[verdict]}</li>`,
  );
  return markup`<ul class="tally" aria-label="Verdicts of ${comparisons.length} comparisons">${words}</ul>`;
}

function table(kind: WorkloadKind, context: ReportContext): Markup {
  const comparisons = context.summary.comparisons.filter(({ workloadKind }) => workloadKind === kind);
  if (comparisons.length === 0) return markup``;
  const columns = columnsOf(comparisons, context);
  const shown = comparisons.filter((comparison) => columns.some(({ holds }) => holds(comparison)));
  const workloads = distinct(shown.map(({ workload }) => workload));
  const worst = worstFirst(workloads, shown);
  const rows = workloads.map((workload, index) => {
    const own = shown.filter((comparison) => comparison.workload === workload);
    const classes = [workload === 'pooled' ? 'pooled' : '', index >= maxRows ? 'extra' : ''].filter(Boolean);
    return markup`<tr class="${classes.join(' ')}" data-place="${index}" data-worst="${worst.indexOf(workload)}"><th scope="row">${context.labels.workload(workload, kind)}</th>${columns.map((column) => cell(own.find(column.holds), context))}</tr>`;
  });
  const heads = columns.map(
    ({ title, note }) =>
      markup`<th scope="col">${title}${note !== '' && markup` <small>${note}</small>`}</th>`,
  );
  const rest = comparisons.length - shown.length;
  return markup`<h4>${kindTitles[kind]}</h4>${tally(comparisons)}
    <div class="scroll" tabindex="0" role="region" aria-label="Scorecard: ${kindTitles[kind]}">
    <table class="scorecard${rows.length > maxRows ? ' folded' : ''}"><thead><tr><th scope="col">Workload</th>${heads}</tr></thead><tbody>${rows}</tbody></table>
    </div>
    ${rows.length > maxRows && markup`<p class="unfold"><button type="button" class="js unfold-scorecard">Show all ${rows.length} rows</button></p>`}
    ${rest > 0 && markup`<p class="note">${rest} more <a href="#comparisons">in the table</a>.</p>`}`;
}

function workloadCount({ summary }: ReportContext): number {
  return new Set(summary.comparisons.map(({ workload }) => workload)).size;
}

/** Workloads against conditions or metrics: one sign, one number and one word a cell, each a link to its evidence. */
export function scorecard(context: ReportContext): Markup {
  if (context.summary.comparisons.length === 0) return markup``;
  const kinds: readonly WorkloadKind[] = ['page', 'journey', 'video', 'download', 'upload', 'messages'];
  return markup`<section id="scorecard" aria-labelledby="scorecard-title">
    <h2 id="scorecard-title">Main result</h2>
    ${primaryCards(context)}
    <h3>Scorecard</h3>
    <ul class="key">
    <li class="v-better"><span class="sign" aria-hidden="true">▲</span> better</li>
    <li class="v-worse"><span class="sign" aria-hidden="true">▼</span> worse</li>
    <li class="v-equivalent"><span class="sign" aria-hidden="true">≈</span> no difference that matters</li>
    <li class="v-mixed"><span class="sign" aria-hidden="true">◆</span> mixed: the workloads disagree</li>
    <li class="v-inconclusive"><span class="sign" aria-hidden="true">?</span> not decided</li>
    </ul>
    ${workloadCount(context) > 1 && markup`<p class="js"><label class="check"><input type="checkbox" id="worst-first"> worst first</label></p>`}
    ${kinds.map((kind) => table(kind, context))}
  </section>`;
}
