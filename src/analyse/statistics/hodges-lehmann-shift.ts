import { quantileOfSorted } from './quantile.ts';

/**
 * Hodges–Lehmann estimate of the shift from `first` to `second`, two unpaired samples: the median of all differences
 * second − first (Hollander, Wolfe & Chicken 2014, §4.2). Null when a sample is empty.
 */
export function hodgesLehmannShift(first: readonly number[], second: readonly number[]): number | null {
  const differences = Float64Array.from(second.flatMap((y) => first.map((x) => y - x))).sort();
  return quantileOfSorted([...differences], 0.5) ?? null;
}
