import rank from '@stdlib/stats-ranks';

/**
 * Midranks of `values` times two, so that they are whole numbers also where values tie.
 * Rank 1 (doubled: 2) is the smallest.
 */
export function doubledMidranks(values: readonly number[]): number[] {
  return values.length === 0 ? [] : rank([...values]).map((midrank) => Math.round(2 * midrank));
}

/** Σ (t³ − t) over groups of tied values: the correction for ties in variances of rank statistics. */
export function tieTerm(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let term = 0;
  for (const count of counts.values()) term += count ** 3 - count;
  return term;
}
