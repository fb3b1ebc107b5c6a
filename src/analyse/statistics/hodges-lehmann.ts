import { normalQuantile } from './normal-distribution.ts';
import { untiedSignedRankCumulative } from './signed-rank-distribution.ts';
import { walshOrderStatistics } from './walsh-averages.ts';
import { exactSignedRankLimit } from './wilcoxon-signed-rank.ts';

/** Below this many blocks no interval is given: at n = 5 not even the whole range reaches 95 %. */
export const smallestIntervalCount = 6;

export type Interval = readonly [low: number, high: number];

export interface LocationEstimate {
  /** Median of the Walsh averages; null for an empty sample. */
  readonly estimate: number | null;
  /** The interval at each of the asked-for levels; null below n = 6 or where the level cannot be reached. */
  readonly intervals: readonly (Interval | null)[];
}

/**
 * Hodges–Lehmann estimate of the centre of symmetry and the confidence intervals that belong to the
 * signed-rank test (Hollander, Wolfe & Chicken 2014, §3.2 and §3.3): ordered Walsh averages C and
 * n(n+1)/2 + 1 − C. Exact coverage of at least the level up to n = 50, normal approximation beyond.
 *
 * @param levels confidence levels such as 0.95 and 0.9
 */
export function hodgesLehmann(sample: readonly number[], levels: readonly number[]): LocationEstimate {
  const n = sample.length;
  if (n === 0) return { estimate: null, intervals: levels.map(() => null) };
  const walsh = walshOrderStatistics(sample);
  const count = (n * (n + 1)) / 2;
  const estimate = (walsh(Math.ceil(count / 2)) + walsh(Math.floor(count / 2) + 1)) / 2;
  const intervals = levels.map((level): Interval | null => {
    const rank = n < smallestIntervalCount ? 0 : lowerRank(n, 1 - level);
    return rank === 0 ? null : [walsh(rank), walsh(count + 1 - rank)];
  });
  return { estimate, intervals };
}

/** The largest C with P(W⁺ ≤ C − 1) ≤ alpha/2; 0 when even C = 1 is too often missed. */
function lowerRank(n: number, alpha: number): number {
  if (n > exactSignedRankLimit) {
    const spread = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
    return Math.max(1, Math.floor((n * (n + 1)) / 4 - normalQuantile(1 - alpha / 2) * spread));
  }
  const cumulative = untiedSignedRankCumulative(n);
  // 1 − level is not exact in binary; without the tolerance a level that is just reached could be lost.
  const tail = alpha / 2 + 1e-12;
  let rank = 0;
  while ((cumulative[rank] as number) <= tail) rank++;
  return rank;
}
