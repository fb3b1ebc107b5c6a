import type { Tail, TailQuantile } from '../../../src/core/model/tails.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { equalsP, formatMeasured, formatNumber, plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';
import { maxLines, truncated } from './long-lists.ts';

/** Above this level arms are not said to vary unlike. */
const spreadLevel = 0.05;

/** Conditions that are open; the others fold. */
const maxOpen = 6;

const quantileName = (quantile: number): string => `p${Math.round(100 * quantile)}`;

function quantileText({ value, interval, quantile }: TailQuantile, unit: string): string {
  if (value === null || interval === null) return `too few for ${quantileName(quantile)}`;
  const [low, high] = interval.map((end) => formatMeasured(end, unit));
  return `${formatMeasured(value, unit)} (${low} to ${high})`;
}

/** Whether the candidate varies more or less, where that is decided. */
function spreadText({ spread }: Tail): string {
  if (spread === null) return 'too few blocks';
  const { ratio, adjustedPValue } = spread;
  const p = equalsP(adjustedPValue);
  if (adjustedPValue >= spreadLevel || ratio === null || ratio === 0) return `not decided (${p})`;
  const times = formatNumber(ratio > 1 ? ratio : 1 / ratio);
  return `${times} times as ${ratio > 1 ? 'wide' : 'narrow'} (${p})`;
}

function rows(tail: Tail, context: ReportContext): Markup[] {
  const { labels, conditionWords } = context;
  const { workload, workloadKind, metric, unit } = tail;
  const where = [metricWords(metric).title, conditionWords(tail)].filter(Boolean).join(', ');
  return (['baseline', 'candidate'] as const).map((side) => {
    const { arm, n, quantiles } = tail[side];
    return markup`<tr>
      <th scope="row">${labels.workload(workload, workloadKind)}<small>${where}</small></th>
      <td>${armTitle(arm)}</td>
      <td class="num">${n}</td>
      ${quantiles.map((quantile) => markup`<td class="num">${quantileText(quantile, unit)}</td>`)}
      <td class="num">${side === 'baseline' ? '–' : spreadText(tail)}</td>
    </tr>`;
  });
}

const isShown = ({ baseline, candidate }: Tail): boolean =>
  [...baseline.quantiles, ...candidate.quantiles].some(({ value }) => value !== null);

/** How slow the slow loads of each condition are; nothing where no arm has loads enough for any quantile. */
export function tails(context: ReportContext): Markup {
  const found = (context.summary.tails ?? []).filter(isShown);
  const shown = found.slice(0, maxLines / 2);
  const [first] = shown;
  if (first === undefined) return markup``;
  const isRate = shown.map(({ higherIsBetter }) => higherIsBetter);
  const heads = [0, 1].map((place) =>
    [
      ...new Set(
        shown
          .flatMap(({ baseline }) => baseline.quantiles[place] ?? [])
          .map(({ quantile }) => quantileName(quantile)),
      ),
    ].join(' or '),
  );
  const table = (of: readonly Tail[], label: string): Markup =>
    scrolling(
      label,
      plainTable(
        ['Condition', 'Side', 'Loads', ...heads, 'Spread'],
        of.flatMap((tail) => rows(tail, context)),
      ),
    );
  const rest = shown.slice(maxOpen);
  return markup`<section id="tails" aria-labelledby="tails-title">
    <h2 id="tails-title">Slow loads</h2>
    <p class="note">Quantiles of all timed loads of a condition, with intervals of 95 % by order statistics.${isRate.includes(true) && ' Of rates these are the low ones.'} Spread: whether both sides vary alike, Holm over all rows.</p>
    ${table(shown.slice(0, maxOpen), 'Slow loads')}
    ${rest.length > 0 && markup`<details><summary>${plural(rest.length, 'more condition')}</summary>${table(rest, 'Slow loads of further conditions')}</details>`}
    ${truncated(found.length * 2, 'rows')}
  </section>`;
}
