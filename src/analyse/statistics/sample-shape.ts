import { quantileOfSorted } from './quantile.ts';

const smallestClusterShare = 0.2;
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
 * Whether the sample falls into two groups, each at least a fifth of it, with a gap between them wider than
 * either group is long. A plain rule on purpose: with 8 to 20 blocks tests of unimodality see nothing less.
 */
export function looksBimodal(values: readonly number[]): boolean {
  if (values.length < smallestBimodalCount) return false;
  const sorted = [...values].sort((a, b) => a - b);
  const smallest = Math.max(2, Math.ceil(sorted.length * smallestClusterShare));
  const at = (index: number): number => sorted[index] as number;
  for (let cut = smallest; cut <= sorted.length - smallest; cut++) {
    const gap = at(cut) - at(cut - 1);
    if (gap > at(cut - 1) - at(0) && gap > at(sorted.length - 1) - at(cut)) return true;
  }
  return false;
}
