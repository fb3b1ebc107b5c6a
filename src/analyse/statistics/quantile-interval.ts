import binomialQuantile from '@stdlib/stats-base-dists-binomial-quantile';
import type { Interval } from './hodges-lehmann.ts';

/**
 * Interval of a quantile by order statistics, from the binomial distribution of the values below it (Hahn & Meeker,
 * Statistical Intervals, 1991, §5.2): covers with at least the level whatever the distribution. Null where a sample of this size
 * has no value that lies beyond the quantile as surely as that: of a median below 6, of p75 below 13, of p95 below 72 at 95 %.
 *
 * @param quantile between 0 and 1
 * @param level such as 0.95
 */
export function quantileInterval(
  sample: readonly number[],
  quantile: number,
  level: number,
): Interval | null {
  const n = sample.length;
  if (n === 0) return null;
  const sorted = [...sample].sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  // The largest rank below which too few values lie with probability `tail` at most (quantiles are the first to exceed it).
  const low = sorted[binomialQuantile(tail, n, quantile) - 1];
  const high = sorted[binomialQuantile(1 - tail, n, quantile)];
  return low === undefined || high === undefined ? null : [low, high];
}
