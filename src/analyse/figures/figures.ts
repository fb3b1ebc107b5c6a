import { isPluralTitle } from '../../core/metrics/registry.ts';
import { pDigits, percentDigits, valueDigits } from '../../core/model/rounding.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';

/** What one of each kind is called. */
export const kindNouns = {
  page: 'page',
  journey: 'journey',
  video: 'video',
  download: 'download',
  upload: 'upload',
  messages: 'message exchange',
} as const satisfies Readonly<Record<WorkloadKind, string>>;

/** A fraction as per cent, without sign. */
export function percent(fraction: number): string {
  return `${percentDigits(fraction * 100)} %`;
}

/** A ratio as a change in per cent, with its sign. */
export function signedPercent(ratio: number): string {
  return `${ratio < 1 ? '−' : '+'}${percent(ratio - 1)}`;
}

/** A magnitude with its unit, without sign. */
export function quantity(value: number, unit: string): string {
  return [valueDigits(value), unit].filter(Boolean).join(' ');
}

/** The least to the most of these in one unit, `3 to 5 ms`, else in both: `900 ms to 1.2 s`; one where they are written alike. */
export function rangeText(values: readonly number[], format: (value: number) => string): string {
  if (values.length === 0) return '';
  const low = format(Math.min(...values));
  const high = format(Math.max(...values));
  if (low === high) return low;
  const unitOf = (text: string): string => / .*/.exec(text)?.[0] ?? '';
  const isOneUnit = unitOf(low) === unitOf(high);
  return `${isOneUnit ? low.slice(0, low.length - unitOf(low).length) : low} to ${high}`;
}

/** How far these ratios are from no change, in per cent. */
export function changeRange(ratios: readonly number[]): string {
  return rangeText(
    ratios.map((ratio) => Math.abs(ratio - 1)),
    percent,
  );
}

/** A p value as `p = 0.012` or `p < 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${pDigits(p)}`;
}

/** `is` or `are`. */
export function be(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** The same by what is spoken of: one noun may be a plural. */
export function beOf(nouns: readonly string[]): string {
  return be(countOf(nouns));
}

/** The words for more of a metric and for less of it: times are longer, things are more, all else is higher. */
export function directionWords(title: string, unit: string): readonly [more: string, less: string] {
  if (unit === 'ms' || unit === 's') return ['longer', 'shorter'];
  return isPluralTitle(title) ? ['more', 'fewer'] : ['higher', 'lower'];
}

/** `has` or `have`, likewise. */
export function haveOf(nouns: readonly string[]): string {
  return countOf(nouns) === 1 ? 'has' : 'have';
}

function countOf(nouns: readonly string[]): number {
  const [only] = nouns;
  return nouns.length === 1 && only !== undefined && isPluralTitle(only) ? 2 : nouns.length;
}

/** `1 block`, `8 blocks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
