import fCdf from '@stdlib/stats-base-dists-f-cdf';

/** Least number of values of which a sign test can reach one-sided 5 %: all five on one side have p = 1/32. */
export const minSigns = 5;

/**
 * Exact one-sided p of the sign test against "the median is `limit` or more", nothing assumed of the distribution: small
 * where values lie below it. A value at the limit counts as one that does not, unless `tiesCount`. Null for no values.
 *
 * The binomial tail with p = 1/2 is the incomplete beta function I½(k, n − k + 1), and that is a tail of F (Abramowitz &
 * Stegun, 26.5.24 and 26.6.2).
 */
export function medianBelowP(sample: readonly number[], limit: number, tiesCount = false): number | null {
  const n = sample.length;
  if (n === 0) return null;
  const below = sample.filter((value) => value < limit || (tiesCount && value === limit)).length;
  if (below === 0) return 1;
  const others = n - below + 1;
  return fCdf(others / below, 2 * below, 2 * others);
}

/** The same against "the median is `limit` or less". */
export function medianAboveP(sample: readonly number[], limit: number, tiesCount = false): number | null {
  return medianBelowP(
    sample.map((value) => -value),
    -limit,
    tiesCount,
  );
}
