import type { ChangePoint } from '../../../src/model/history.ts';
import { fewestNights } from '../../../src/model/history.ts';
import { armTitle } from '../../format/labels.ts';
import { formatNumber, equalsP, formatRatioPercent, plural, unbroken } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { TrendChart } from './trend-page-data.ts';

interface Change {
  readonly chart: TrendChart;
  readonly protocol: string;
  readonly point: ChangePoint;
}

/** Changes told in full in the sentence of their night; the charts have all. */
const mostTold = 4;

function isWorse({ chart, point }: Change): boolean {
  return point.after > point.before !== chart.higherIsBetter;
}

function words({ chart, protocol, point }: Change, places: boolean): string {
  const { before, after, pValue } = point;
  const span = `from ${formatNumber(before)} to ${formatNumber(after)} ${chart.unit}`.trim();
  const effect = before > 0 && after > 0 ? `${formatRatioPercent(after / before)}, ${span}` : span;
  return `${chart.title} over ${armTitle(protocol)} ${effect} (${equalsP(pValue)}${places ? `; ${chart.place}` : ''})`;
}

/** Everything that changed in one night, in one sentence. */
function nightSentence(night: string, changes: readonly Change[], places: boolean): string {
  const versions = [...new Set(changes.map(({ point }) => point.version))].join(', ');
  const parts = ([true, false] as const).flatMap((worse) => {
    const own = changes.filter((change) => isWorse(change) === worse);
    if (own.length === 0) return [];
    const told = own.slice(0, mostTold).map((change) => words(change, places));
    const rest = own.length - told.length;
    return [
      `for the ${worse ? 'worse' : 'better'}: ${told.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`,
    ];
  });
  return `Since ${night} (version ${versions}) ${plural(changes.length, 'series', 'series')} changed ${parts.join('. And ')}.`;
}

/** The nights on which levels changed, the newest first, a sentence a night. */
export function nightChanges(charts: readonly TrendChart[]): Markup {
  const all = charts.flatMap((chart) =>
    chart.lines.flatMap(({ protocol, changes }) =>
      changes.map((point): Change => ({ chart, protocol, point })),
    ),
  );
  if (all.length === 0)
    return markup`<p class="empty">No change of level was found. A series is looked at from ${fewestNights} nights on.</p>`;
  const places = new Set(charts.map(({ place }) => place)).size > 1;
  const nights = [...Map.groupBy(all, ({ point }) => point.night)].sort(([a], [b]) => b.localeCompare(a));
  return markup`<ul class="changes">${nights.map(([night, changes]) => markup`<li>${unbroken(nightSentence(night, changes, places))}</li>`)}</ul>`;
}
