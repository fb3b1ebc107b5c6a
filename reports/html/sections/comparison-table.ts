import { nothingCompared } from '../../format/counts.ts';
import { comparedArms, kindTitles } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { plural } from '../../format/numbers.ts';
import { intervalTitle, verdictOrder, verdictSigns, verdictTitles } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { PageComparison } from '../page-data.ts';
import type { ReportContext } from '../report-context.ts';
import { comparisonRow } from './comparison-row.ts';

/** With more comparisons than this the table opens with the primary ones only. */
const maxUnfiltered = 60;
/** Rows in the page's own markup; its script adds the others from the data, so that the page stays small. */
const maxStatic = 60;

interface Head {
  /** What the page's script sorts by; empty for a column that cannot be sorted. */
  readonly key: string;
  readonly title: string;
  readonly className: string;
}

function heads(context: ReportContext): Head[] {
  const arms = comparedArms(context.summary);
  const head = (key: string, title: string, className = ''): Head => ({ key, title, className });
  return [
    head('workload', 'Workload'),
    head('metric', 'Metric'),
    head('baseline', `${arms.baseline} median`, 'wide'),
    head('candidate', `${arms.candidate} median`, 'wide'),
    head('effect', `Change, ${intervalTitle(context.summary.comparisons)}`),
    head('', `${arms.baseline} better ↔ ${arms.candidate} better`, 'graph'),
    head('n', 'n', 'wide'),
    head('p', 'p', 'wide'),
    head('verdict', 'Verdict'),
  ];
}

function headCell({ key, title, className }: Head): Markup {
  if (key === '') return markup`<th scope="col" class="${className}">${title}</th>`;
  return markup`<th scope="col" class="${className}" data-key="${key}" aria-sort="none"><button type="button" class="sort">${title}</button></th>`;
}

function option(value: string, title: string): Markup {
  return markup`<option value="${value}">${title}</option>`;
}

function select(name: string, title: string, all: string, options: readonly Markup[]): Markup {
  return markup`<label>${title} <select name="${name}">${option('', all)}${options}</select></label>`;
}

function filters({ summary }: ReportContext, comparisons: readonly PageComparison[]): Markup {
  const shown = new Set(comparisons.flatMap(({ metricName, kind }) => [metricName, kind]));
  const distinct = <T extends string>(names: readonly T[]): T[] =>
    [...new Set(names)].filter((name) => shown.has(name));
  const metrics = distinct(summary.comparisons.map(({ metric }) => metric));
  const kinds = distinct(summary.comparisons.map(({ workloadKind }) => workloadKind));
  const startPrimary = comparisons.length > maxUnfiltered && comparisons.some(({ primary }) => primary);
  const metricOptions = metrics.map((metric) => option(metric, metricWords(metric).title));
  const verdictOptions = verdictOrder.map((verdict) =>
    option(verdict, `${verdictSigns[verdict]} ${verdictTitles[verdict]}`),
  );
  return markup`<form class="filters js" id="filters">
    <label>Search <input type="search" name="text" placeholder="workload, metric…" autocomplete="off"></label>
    ${
      kinds.length > 1 &&
      select(
        'kind',
        'Kind',
        'all kinds',
        kinds.map((kind) => option(kind, kindTitles[kind])),
      )
    }
    ${select('metric', 'Metric', 'all metrics', metricOptions)}
    ${select('verdict', 'Verdict', 'all verdicts', verdictOptions)}
    <label class="check"><input type="checkbox" name="primary"${startPrimary && markup` checked`}> primary only</label>
    <span class="actions"><button type="reset">Show all</button><button type="button" id="copy-table">Copy CSV</button></span>
    </form>
    <p class="js shown" id="shown" role="status"></p>`;
}

/** Every comparison with its medians, effect, interval, n, p and verdict; the page's script sorts and filters it. */
export function comparisonTable(context: ReportContext, comparisons: readonly PageComparison[]): Markup {
  const title = markup`<h2 id="comparisons-title">All comparisons</h2>`;
  const open = markup`<section id="comparisons" aria-labelledby="comparisons-title">${title}`;
  if (comparisons.length === 0) {
    return markup`${open}<p class="empty">${nothingCompared(context.summary)}</p></section>`;
  }
  const arms = comparedArms(context.summary);
  const left = comparisons.length - maxStatic;
  const leftOut = context.summary.comparisons.length - comparisons.length;
  const uneven = comparisons.some(
    (comparison) =>
      comparison.baseline.n !== comparison.blocks || comparison.candidate.n !== comparison.blocks,
  );
  return markup`${open}
    <p class="note">${plural(comparisons.length, 'comparison')} of ${arms.candidate} against ${arms.baseline}. The column n counts blocks in which both have a value. The column p tests for an effect beyond the margin, adjusted for its family of comparisons.${uneven && ' Medians are of all values of an arm. The change is the middle of the changes block by block, so the two may disagree.'} Open a row for its plot.</p>
    ${leftOut > 0 && markup`<p class="note">${plural(leftOut, 'further comparison')} of metrics that decide less ${leftOut === 1 ? 'has' : 'have'} no room here. The <a href="#parts">further pages</a>, comparisons.csv and summary.json have them with all their blocks.</p>`}
    ${filters(context, comparisons)}
    <div class="scroll" tabindex="0" role="region" aria-label="Table of all comparisons">
    <table class="comparisons" id="comparison-table"><thead><tr>${heads(context).map(headCell)}</tr></thead><tbody>
    ${comparisons.slice(0, maxStatic).map(comparisonRow)}</tbody></table>
    </div>
    <p><button type="button" class="js" id="more-rows" hidden></button></p>
    ${left > 0 && markup`<noscript><p class="empty">${plural(left, 'more comparison')} need JavaScript to be shown. comparisons.csv and summary.json have them too.</p></noscript>`}
  </section>`;
}
