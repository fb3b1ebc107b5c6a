import { smallestIntervalCount } from './hodges-lehmann.ts';
import { normalQuantile } from './normal-distribution.ts';
import { quantileOfSorted } from './quantile.ts';

/** Beyond this the estimate says nothing useful. */
const largestUsefulEstimate = 10_000;
const power = 0.8;

export interface BlocksNeededInput {
  /** Per-block effects so far, on the scale of the margin. */
  readonly effects: readonly number[];
  readonly estimate: number;
  readonly scaleMargin: number;
  readonly alpha: number;
  /** Comparisons in the family: their correction costs blocks. */
  readonly comparisons: number;
}

/**
 * Estimate of the blocks with which the comparison would be decided with 80 % power, were the present
 * estimate and spread the truth: n = (z₁ + z_power)² · (π/3) · (s / gap)², where gap is the distance of the
 * estimate from the margin, z₁ belongs to alpha/2 over the family (effect beyond the margin) or to alpha
 * (equivalence), and π/3 is the asymptotic variance of the Hodges–Lehmann estimate relative to the mean's
 * under normality (Lehmann, Nonparametrics, 1975, §2.6). s is taken from the interquartile range, so that one
 * trial at its deadline does not count as everyday noise. Undefined where no useful number comes out.
 */
export function blocksNeeded(input: BlocksNeededInput): number | undefined {
  const { effects, estimate, scaleMargin, alpha, comparisons } = input;
  const n = effects.length;
  if (n < 3) return undefined;
  const spread = spreadOf(effects);
  const gap = Math.abs(Math.abs(estimate) - scaleMargin);
  const equivalence = Math.abs(estimate) < scaleMargin;
  const z = normalQuantile(equivalence ? 1 - alpha : 1 - alpha / 2 / Math.max(1, comparisons));
  const needed = Math.ceil((((z + normalQuantile(power)) ** 2 * Math.PI) / 3) * (spread / gap) ** 2);
  const reachable = equivalence ? smallestIntervalCount : minimumBlocks(comparisons, alpha);
  const blocks = Math.max(needed, reachable, n + 1);
  return Number.isFinite(needed) && blocks <= largestUsefulEstimate ? blocks : undefined;
}

/** Interquartile range of a normal distribution in standard deviations. */
const normalQuartileRange = 1.349;

/** Standard deviation by the interquartile range; by the plain formula where more than half the values are equal. */
function spreadOf(effects: readonly number[]): number {
  const sorted = [...effects].sort((a, b) => a - b);
  const range = (quantileOfSorted(sorted, 0.75) ?? 0) - (quantileOfSorted(sorted, 0.25) ?? 0);
  if (range > 0) return range / normalQuartileRange;
  const mean = effects.reduce((sum, effect) => sum + effect, 0) / effects.length;
  return Math.sqrt(effects.reduce((sum, effect) => sum + (effect - mean) ** 2, 0) / (effects.length - 1));
}

/** The fewest blocks with which m comparisons under Holm can reach an adjusted p below alpha; at least six. */
export function minimumBlocks(comparisons: number, alpha: number): number {
  let blocks = smallestIntervalCount;
  while (comparisons * 2 ** (1 - blocks) >= alpha) blocks++;
  return blocks;
}
