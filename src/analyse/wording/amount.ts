import { grouped } from '../../core/model/rounding.ts';
import { changeRange } from '../figures/figures.ts';

/** From here on a change is told as a factor. */
const minFactor = 2;

/** By how much something changed. */
export interface Amount {
  /** `24 %`, `60 ms (4.1 %)`, `a factor of 3`. */
  readonly text: string;
  /** `3`, `2.1 to 12`: where that is a factor and nothing else. */
  readonly factor?: string;
}

/** `1.8`, `12`: a factor in two digits. */
export const factorText = (value: number): string =>
  grouped(value.toFixed(value < 9.95 ? 1 : 0)).replace(/\.0$/, '');

/**
 * `a factor of 2.1 to 12`, where all these ratios are far from no change and on one side of it: a half is told as the double is.
 * Null where percent say it.
 */
export function largeFactors(ratios: readonly number[]): Required<Amount> | null {
  const isUp = ratios.every((ratio) => ratio >= minFactor);
  if (ratios.length === 0 || (!isUp && !ratios.every((ratio) => ratio <= 1 / minFactor))) return null;
  const factors = ratios.map((ratio) => (isUp ? ratio : 1 / ratio));
  const ends = new Set([Math.min(...factors), Math.max(...factors)].map(factorText));
  const factor = [...ends].join(' to ');
  return { text: `a factor of ${factor}`, factor };
}

/** How far these ratios are from no change: as a factor where that is far, else in per cent. */
export function ratioAmount(ratios: readonly number[]): Amount {
  return largeFactors(ratios) ?? { text: changeRange(ratios) };
}
