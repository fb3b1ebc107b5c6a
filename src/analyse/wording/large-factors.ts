import { grouped } from '../../core/model/rounding.ts';

/** From here on a change is told as a factor. */
const minFactor = 2;

/** `1.8`, `12`: a factor in two digits. */
export const factorText = (value: number): string =>
  grouped(value.toFixed(value < 9.95 ? 1 : 0)).replace(/\.0$/, '');

/** A predicate without the place of its amount. */
export const withoutAmount = (template: string): string => template.replace(/\{\} | \{\}/, '');

/**
 * A predicate whose amount is that of `largeFactors`: `load faster by a factor of 3`, and of what has more of a rate `get 12 times the
 * throughput`.
 */
export function withFactor(template: string, factor: string): string {
  const more = /^(.*)\{\} higher (throughput|bitrate)$/.exec(template);
  return more === null
    ? `${withoutAmount(template)} by ${factor}`
    : `${more[1] ?? ''}${factor.replace('a factor of ', '')} times the ${more[2] ?? ''}`;
}

/**
 * `a factor of 2.1 to 12`, where all these ratios are far from no change and on one side of it: a half is told as the double is.
 * Null where percent say it.
 */
export function largeFactors(ratios: readonly number[]): string | null {
  const isUp = ratios.every((ratio) => ratio >= minFactor);
  if (ratios.length === 0 || (!isUp && !ratios.every((ratio) => ratio <= 1 / minFactor))) return null;
  const factors = ratios.map((ratio) => (isUp ? ratio : 1 / ratio));
  const ends = new Set([Math.min(...factors), Math.max(...factors)].map(factorText));
  return `a factor of ${[...ends].join(' to ')}`;
}
