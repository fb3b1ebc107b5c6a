import { untiedSignedRankCumulative } from './signed-rank-distribution.ts';

/** The smallest two-sided p that the exact signed-rank test can give with n blocks: 2^(1−n). */
export function smallestPValue(blocks: number): number {
  return blocks < 1 ? 1 : 2 ** (1 - blocks);
}

/** The smallest adjusted p that one of m comparisons can reach: m · 2^(1−n), at most 1 (the first step of Holm). */
export function smallestAdjustedPValue(comparisons: number, blocks: number): number {
  return Math.min(1, comparisons * smallestPValue(blocks));
}

/**
 * The level at which the exact test with n blocks really rejects when it is asked for `alpha`: the largest
 * attainable p that is below alpha. 3.9 % at n = 8 for 5 %. Zero when no p below alpha exists.
 */
export function attainableSize(blocks: number, alpha: number): number {
  if (blocks < 1) return 0;
  let size = 0;
  for (const tail of untiedSignedRankCumulative(blocks)) {
    if (2 * tail >= alpha) break;
    size = 2 * tail;
  }
  return size;
}
