import { isNumber } from '../../format/numbers.ts';
import { advantageInMargins, formOf, intervalOf } from '../../format/verdict-words.ts';
import type { Judged } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';

const width = 120;
const centre = width / 2;
/** The outermost advantage that the small graph resolves, in margins; what lies further out is drawn at the edge. */
const reach = 10;

type AxisScale = (advantage: number) => number;

/** Linear inside the margin, logarithmic outside: one axis fits every metric. */
function compressed(advantage: number): number {
  const share = Math.log1p(Math.min(reach, Math.abs(advantage))) / Math.log1p(reach);
  return centre - Math.sign(advantage) * share * (centre - 4);
}

/** Linear over as many margins as estimate and interval need. */
function linear(advantages: readonly number[]): AxisScale {
  const most = advantages.reduce((high, advantage) => Math.max(high, Math.abs(advantage)), 2) * 1.1;
  return (advantage) => centre - (advantage / most) * (centre - 2);
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}

interface Advantages {
  readonly estimate: number;
  readonly ends: readonly number[];
  /** Of the sites of a pool. */
  readonly sites: readonly number[];
}

function advantagesOf(comparison: Judged): Advantages | null {
  const form = formOf(comparison);
  if (form === 'none') return null;
  const value = (form === 'ratio' ? comparison.ratio : comparison.difference) ?? NaN;
  const estimate = advantageInMargins(comparison, value);
  const ends = intervalOf(comparison)?.map((end) => advantageInMargins(comparison, end)) ?? [];
  const sites =
    comparison.heterogeneity?.sites.map(({ ratio }) => advantageInMargins(comparison, ratio)) ?? [];
  return isNumber(estimate)
    ? { estimate, ends: ends.filter(isNumber).sort((a, b) => b - a), sites: sites.filter(isNumber) }
    : null;
}

/** The end of an interval: a bar, or an arrow head where the interval goes on beyond the edge. */
function cap(end: number, middle: number): string {
  const edge = 4;
  if (end <= edge) return `M${end + 5} ${middle - 4}L${end} ${middle}l5 4`;
  if (end >= width - edge) return `M${end - 5} ${middle - 4}L${end} ${middle}l-5 4`;
  return `M${end} ${middle - 4}v8`;
}

function graph(
  comparison: Judged,
  { estimate, ends, sites }: Advantages,
  place: AxisScale,
  height: number,
): Markup {
  const left = short(place(1));
  const right = short(place(-1));
  const middle = height / 2;
  const [low, high] = ends.map((end) => short(place(end)));
  const whisker =
    low === undefined || high === undefined
      ? ''
      : markup`<path class="i" d="M${low} ${middle}H${high}${cap(low, middle)}${cap(high, middle)}"/>`;
  const ticks = sites.map((site) => `M${short(place(site))} ${height - 5}v5`).join('');
  return markup`<svg class="g v-${comparison.verdict}" viewBox="0 0 ${width} ${height}" aria-hidden="true"><path class="m" d="M${left} 0H${right}V${height}H${left}z"/><path class="z" d="M${centre} 0V${height}"/>${ticks !== '' && markup`<path class="s" d="${ticks}"/>`}${whisker}<circle cx="${short(place(estimate))}" cy="${middle}" r="3.5"/></svg>`;
}

/**
 * A small picture of estimate and interval in multiples of the practical margin: the shaded band is “no difference
 * that matters”, left of it the candidate is better. The numbers stand next to it in words, so it is hidden from
 * screen readers.
 */
export function intervalGraph(comparison: Judged): Markup {
  const advantages = advantagesOf(comparison);
  return advantages === null ? markup`` : graph(comparison, { ...advantages, sites: [] }, compressed, 16);
}

/** The same on a linear axis of its own, for a card that stands alone. */
export function intervalRuler(comparison: Judged): Markup {
  const advantages = advantagesOf(comparison);
  if (advantages === null) return markup``;
  return graph(
    comparison,
    advantages,
    linear([advantages.estimate, ...advantages.ends, ...advantages.sites]),
    20,
  );
}
