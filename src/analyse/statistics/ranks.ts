/**
 * Midranks of `values` times two, so that they are whole numbers also where values tie.
 * Rank 1 (doubled: 2) is the smallest.
 */
export function doubledMidranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = new Array<number>(values.length).fill(0);
  for (let start = 0; start < order.length;) {
    const value = values[order[start] as number];
    let end = start;
    while (end + 1 < order.length && values[order[end + 1] as number] === value) end++;
    for (let i = start; i <= end; i++) ranks[order[i] as number] = start + end + 2;
    start = end + 1;
  }
  return ranks;
}

/** Σ (t³ − t) over groups of tied values: the correction for ties in variances of rank statistics. */
export function tieTerm(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let term = 0;
  for (const count of counts.values()) term += count ** 3 - count;
  return term;
}
