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

const minForMemory = 12;
/** One-sided 1 % of the standard normal distribution. */
const memoryLimit = 2.326;

/**
 * First-order autocorrelation where neighbours resemble each other more than independent ones do in 99 % of samples, else
 * null (r₁ is about normal with mean −1/n and variance 1/n: Kendall, Biometrika 41, 1954).
 */
export function notableMemory(values: readonly number[]): number | null {
  const n = values.length;
  if (n < minForMemory) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const left = values.map((value) => value - mean);
  const squares = left.reduce((sum, value) => sum + value ** 2, 0);
  const products = left.reduce((sum, value, i) => sum + value * (left[i - 1] ?? 0), 0);
  const memory = squares === 0 ? 0 : products / squares;
  return memory > memoryLimit / Math.sqrt(n) - 1 / n ? memory : null;
}
