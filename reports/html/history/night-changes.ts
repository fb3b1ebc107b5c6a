import type { ChangePoint } from '../../../src/core/model/history.ts';
import { minNights } from '../../../src/core/model/history.ts';
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

/** Changes of a night and a side that are told in full; the charts have all. */
const maxListed = 4;

function isWorse({ chart, point }: Change): boolean {
  return point.after > point.before !== chart.higherIsBetter;
}

function words({ chart, protocol, point }: Change, places: boolean): string {
  const { before, after, pValue } = point;
  const span = `from ${formatNumber(before)} to ${formatNumber(after)} ${chart.unit}`.trim();
  const effect = before > 0 && after > 0 ? `${formatRatioPercent(after / before)}, ${span}` : span;
  return `${chart.title} over ${armTitle(protocol)}: ${effect} (${equalsP(pValue)}${places ? `, ${chart.place}` : ''})`;
}

/** Everything that changed in one night: how many series, and those that weigh most, the worse first. */
function nightPart(night: string, changes: readonly Change[], places: boolean): Markup {
  const versions = [...new Set(changes.map(({ point }) => point.version))].join(', ');
  const [worse, better] = [true, false].map((wanted) => changes.filter((one) => isWorse(one) === wanted));
  const counts = [
    ...(worse?.length ? [`${plural(worse.length, 'series', 'series')} worse`] : []),
    ...(better?.length ? [`${plural(better.length, 'series', 'series')} better`] : []),
  ].join(', ');
  const told = [worse, better].flatMap((own = []) => own.slice(0, maxListed));
  const rest = changes.length - told.length;
  return markup`<li><b>Since ${night} (version ${versions}): ${counts}.</b>
    <ul>${told.map((change) => markup`<li>${isWorse(change) ? '▼' : '▲'} ${unbroken(words(change, places))}</li>`)}</ul>
    ${rest > 0 && markup`<p class="note">${rest} more in the charts.</p>`}</li>`;
}

/** The nights on which levels changed, the newest first. */
export function nightChanges(charts: readonly TrendChart[]): Markup {
  const all = charts.flatMap((chart) =>
    chart.lines.flatMap(({ protocol, changes }) =>
      changes.map((point): Change => ({ chart, protocol, point })),
    ),
  );
  if (all.length === 0)
    return markup`<p class="empty">No change of level was found. A series is looked at from ${minNights} nights on.</p>`;
  const places = new Set(charts.map(({ place }) => place)).size > 1;
  const nights = [...Map.groupBy(all, ({ point }) => point.night)].sort(([a], [b]) => b.localeCompare(a));
  return markup`<ul class="changes">${nights.map(([night, changes]) => nightPart(night, changes, places))}</ul>`;
}
