/**
 * Cliff's delta: share of pairs in which the candidate's value is larger minus the share in which it is
 * smaller, −1 … 1 (Cliff 1993). Null when a sample is empty.
 */
export function cliffsDelta(baseline: readonly number[], candidate: readonly number[]): number | null {
  if (baseline.length === 0 || candidate.length === 0) return null;
  const sorted = Float64Array.from(baseline).sort();
  let dominance = 0;
  for (const value of candidate) {
    dominance += countBelow(sorted, value, false) - (sorted.length - countBelow(sorted, value, true));
  }
  return dominance / (baseline.length * candidate.length);
}

/** How many of `sorted` are below `value`, or not above it when `inclusive`. */
function countBelow(sorted: Float64Array, value: number, inclusive: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = sorted[middle] as number;
    if (element < value || (inclusive && element === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
