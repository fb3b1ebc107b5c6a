import { quantileOfSorted } from './quantile.ts';

const smallestClusterShare = 0.2;
const smallestCluster = 3;
/** At n = 8 samples with one mode pass for two in at most 2 % of cases with this factor (simulated). */
const gapFactor = 2;
const smallestBimodalCount = 8;

/**
 * Indices of outliers: beyond three interquartile ranges from the quartiles (Tukey's outer fences, 1977).
 * Nothing is removed; they are named.
 */
export function outlierIndices(values: readonly number[]): number[] {
  if (values.length < 4) return [];
  const sorted = [...values].sort((a, b) => a - b);
  const lower = quantileOfSorted(sorted, 0.25) as number;
  const upper = quantileOfSorted(sorted, 0.75) as number;
  const reach = 3 * (upper - lower);
  if (reach === 0) return [];
  return values.flatMap((value, index) => (value < lower - reach || value > upper + reach ? [index] : []));
}

/**
 * Whether the sample falls into two groups, each of three values and a fifth of it at least, with a gap
 * between them twice as wide as either group is long. A plain rule on purpose: with 8 to 20 blocks tests of unimodality see nothing less.
 */
export function looksBimodal(values: readonly number[]): boolean {
  if (values.length < smallestBimodalCount) return false;
  const sorted = [...values].sort((a, b) => a - b);
  const smallest = Math.max(smallestCluster, Math.ceil(sorted.length * smallestClusterShare));
  const at = (index: number): number => sorted[index] as number;
  for (let cut = smallest; cut <= sorted.length - smallest; cut++) {
    const gap = at(cut) - at(cut - 1);
    const longest = Math.max(at(cut - 1) - at(0), at(sorted.length - 1) - at(cut));
    if (gap > gapFactor * longest) return true;
  }
  return false;
}
