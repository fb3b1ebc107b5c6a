import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/** What each round of one variant has beyond the same round of another. */
export function addedTo(base: readonly number[], one: readonly number[]): number[] {
  return one.map((value, round) => value - (base[round] ?? Number.NaN));
}

/** One-sided bound of Student's t (Student 1908), in percent of the mean load without; NaN below two rounds. */
export function upperBoundPercent(addedMs: readonly number[], bareMs: readonly number[]): number {
  const { mean, standardError } = momentsOf(addedMs);
  const boundMs = mean + quantileOfT(0.95, addedMs.length) * standardError;
  return (100 * boundMs) / momentsOf(bareMs).mean;
}

/** Mean and its two-sided 95 % interval of Student's t; null below two rounds, which tell nothing of their scatter. */
export function meanWithInterval(
  values: readonly number[],
): { readonly mean: number; readonly interval: readonly [number, number] } | null {
  if (values.length < 2) return null;
  const { mean, standardError } = momentsOf(values);
  const half = quantileOfT(0.975, values.length) * standardError;
  return { mean, interval: [mean - half, mean + half] };
}

function momentsOf(values: readonly number[]): { mean: number; standardError: number } {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { mean, standardError: Math.sqrt(variance / n) };
}

const quantileOfT = (p: number, n: number): number => (n < 2 ? Number.NaN : tQuantile(p, n - 1));
