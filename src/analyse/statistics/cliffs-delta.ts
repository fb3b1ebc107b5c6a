import { countBelow, countUpTo } from './sorted-counts.ts';

/**
 * Cliff's delta: share of pairs in which the candidate's value is larger minus the share in which it is
 * smaller, −1 … 1 (Cliff 1993). Null when a sample is empty.
 */
export function cliffsDelta(baseline: readonly number[], candidate: readonly number[]): number | null {
  if (baseline.length === 0 || candidate.length === 0) return null;
  const sorted = Float64Array.from(baseline).sort();
  let dominance = 0;
  for (const value of candidate) {
    dominance += countBelow(sorted, value) - (sorted.length - countUpTo(sorted, value));
  }
  return dominance / (baseline.length * candidate.length);
}
