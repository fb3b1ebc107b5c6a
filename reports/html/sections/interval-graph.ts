import type { Comparison } from '../../../src/model/summary.ts';
import { isNumber } from '../../format/numbers.ts';
import { advantageInMargins, formOf, intervalOf } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';

const width = 120;
const height = 16;
const centre = width / 2;
/** The outermost advantage that the graph resolves, in margins; what lies further out is drawn at the edge. */
const reach = 50;

/** Horizontal place of an advantage: linear inside the margin, logarithmic outside, right is better for the candidate. */
function place(advantage: number): number {
  const share = Math.log1p(Math.min(reach, Math.abs(advantage))) / Math.log1p(reach);
  return Math.round((centre + Math.sign(advantage) * share * (centre - 4)) * 10) / 10;
}

const band = { left: place(-1), right: place(1) };

/**
 * A small picture of estimate and interval in multiples of the practical margin: the shaded band is “no difference
 * that matters”, right of it the candidate is better. The same axis fits every metric. The numbers stand beside it
 * in words, so it is hidden from screen readers.
 */
export function intervalGraph(comparison: Comparison): Markup {
  const form = formOf(comparison);
  if (form === 'none') return markup``;
  const estimate = advantageInMargins(
    comparison,
    (form === 'ratio' ? comparison.ratio : comparison.difference) ?? NaN,
  );
  if (!isNumber(estimate)) return markup``;
  const ends = intervalOf(comparison)?.map((end) => advantageInMargins(comparison, end)) ?? [];
  const [low, high] = ends
    .filter(isNumber)
    .map(place)
    .sort((a, b) => a - b);
  const middle = height / 2;
  const whisker =
    low === undefined || high === undefined
      ? ''
      : markup`<path class="i" d="M${low} ${middle}H${high}M${low} 4v8M${high} 4v8" />`;
  return markup`<svg class="g v-${comparison.verdict}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    <path class="m" d="M${band.left} 0H${band.right}V${height}H${band.left}z" />
    <path class="z" d="M${centre} 0V${height}" />
    ${whisker}
    <circle cx="${place(estimate)}" cy="${middle}" r="3.5" />
  </svg>`;
}
