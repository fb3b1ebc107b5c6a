import binomialQuantile from '@stdlib/stats-base-dists-binomial-quantile';
import { smallestIntervalCount } from './hodges-lehmann.ts';

/**
 * Interval of a median by order statistics, from the binomial distribution of the values below it (Hahn & Meeker,
 * Statistical Intervals, 1991, §5.2): covers with at least the level whatever the distribution. Null below six values.
 */
export function medianInterval(sample: readonly number[], level: number): readonly [number, number] | null {
  const n = sample.length;
  if (n < smallestIntervalCount) return null;
  const sorted = [...sample].sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  // The largest rank below which too few values lie with probability `tail` at most (quantiles are the first to exceed it).
  const rank = binomialQuantile(tail, n, 0.5);
  const low = sorted[Math.max(0, rank - 1)];
  const high = sorted[Math.min(n - 1, n - rank)];
  return low === undefined || high === undefined ? null : [low, high];
}
