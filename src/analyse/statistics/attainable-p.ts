import { onRankScale } from './rank-scale.ts';
import { doubledMidranks } from './ranks.ts';
import { signedRankCumulative, untiedSignedRankCumulative } from './signed-rank-distribution.ts';
import { exactSignedRankLimit } from './wilcoxon-signed-rank.ts';

/** The smallest two-sided p that the exact signed-rank test can give with n blocks: 2^(1−n). */
export function smallestPValue(blocks: number): number {
  return blocks < 1 ? 1 : 2 ** (1 - blocks);
}

/** The smallest adjusted p that one of m comparisons can reach: m · 2^(1−n), at most 1 (the first step of Holm). */
export function smallestAdjustedPValue(comparisons: number, blocks: number): number {
  return Math.min(1, comparisons * smallestPValue(blocks));
}

/**
 * The level at which the exact test with n untied blocks really rejects when it is asked for p < `alpha`: the
 * largest attainable p below it. 3.9 % at n = 8 for 5 %. Zero when no p below alpha exists.
 */
export function attainableSize(blocks: number, alpha: number): number {
  if (blocks > exactSignedRankLimit) return alpha;
  return blocks < 1 ? 0 : largestTailBelow(untiedSignedRankCumulative(blocks), alpha);
}

/** The same for a sample with its own ties and zeros. */
export function attainableSizeOf(effects: readonly number[], alpha: number): number {
  const magnitudes = onRankScale(effects)
    .filter((effect) => effect !== 0)
    .map(Math.abs);
  if (magnitudes.length > exactSignedRankLimit) return alpha;
  if (magnitudes.length === 0) return 0;
  return largestTailBelow(signedRankCumulative(doubledMidranks(magnitudes)), alpha);
}

function largestTailBelow(cumulative: Float64Array, alpha: number): number {
  let size = 0;
  for (const tail of cumulative) {
    if (2 * tail >= alpha) break;
    size = 2 * tail;
  }
  return size;
}

/** The fewest blocks, six at least, with which the first of m comparisons under Holm can reach a signed-rank p below alpha. */
export function minimumBlocks(comparisons: number, alpha: number, fewest = 6): number {
  let blocks = fewest;
  while (smallestAdjustedPValue(comparisons, blocks) >= alpha) blocks++;
  return blocks;
}
