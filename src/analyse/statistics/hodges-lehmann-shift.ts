import type { Interval, LocationEstimate } from './hodges-lehmann.ts';
import { normalQuantile } from './normal-distribution.ts';
import { quantileOfSorted } from './quantile.ts';

/** Up to this many values in both samples together the exact distribution of U decides. */
const exactLimit = 50;

/**
 * Hodges–Lehmann estimate of the shift from `first` to `second`, two unpaired samples: the median of all differences
 * second − first; with the intervals that belong to the Mann–Whitney test, ordered differences C and mn + 1 − C
 * (Hollander, Wolfe & Chicken 2014, §4.2 and §4.3).
 *
 * @param levels confidence levels such as 0.95; null where the samples are too small for the level
 */
export function hodgesLehmannShift(
  first: readonly number[],
  second: readonly number[],
  levels: readonly number[],
): LocationEstimate {
  const differences = Float64Array.from(second.flatMap((y) => first.map((x) => y - x))).sort();
  const count = differences.length;
  if (count === 0) return { estimate: null, intervals: levels.map(() => null) };
  const intervals = levels.map((level): Interval | null => {
    const rank = lowerRank(first.length, second.length, 1 - level);
    return rank === 0 ? null : [differences[rank - 1] as number, differences[count - rank] as number];
  });
  return { estimate: quantileOfSorted([...differences], 0.5) ?? null, intervals };
}

/** The largest C with P(U ≤ C − 1) ≤ alpha/2; 0 when even C = 1 is too often missed. */
function lowerRank(m: number, n: number, alpha: number): number {
  if (m + n > exactLimit) {
    const spread = Math.sqrt((m * n * (m + n + 1)) / 12);
    return Math.max(0, Math.floor((m * n) / 2 - normalQuantile(1 - alpha / 2) * spread));
  }
  const ways = rankSumWays(m, n);
  const all = ways.reduce((sum, count) => sum + count, 0);
  // 1 − level is not exact in binary; without the tolerance a level that is just reached could be lost.
  const tail = (alpha / 2 + 1e-12) * all;
  let rank = 0;
  let below = 0;
  while (rank < ways.length && below + (ways[rank] as number) <= tail) below += ways[rank++] as number;
  return rank;
}

/** In how many of the orders of m and n untied values U is 0, 1, …, mn. */
function rankSumWays(m: number, n: number): number[] {
  // Chosen ranks 1 … m+n by how many are chosen and by how far their sum lies above the smallest one.
  const ways = Array.from({ length: m + 1 }, () => new Float64Array(m * n + 1));
  (ways[0] as Float64Array)[0] = 1;
  for (let rank = 1; rank <= m + n; rank++) {
    for (let chosen = Math.min(m, rank); chosen >= 1; chosen--) {
      const above = rank - chosen;
      const target = ways[chosen] as Float64Array;
      const source = ways[chosen - 1] as Float64Array;
      for (let u = m * n; u >= above; u--) target[u] = (target[u] as number) + (source[u - above] as number);
    }
  }
  return [...(ways[m] as Float64Array)];
}
