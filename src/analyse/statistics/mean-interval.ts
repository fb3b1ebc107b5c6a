import tQuantile from '@stdlib/stats-base-dists-t-quantile';

export interface MeanEstimate {
  readonly mean: number;
  /** Null below two values. */
  readonly interval: readonly [number, number] | null;
}

/** Mean with Student's interval at `level` (Student 1908): means of parts add up to the mean of the whole. */
export function meanInterval(values: readonly number[], level: number): MeanEstimate | null {
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { mean, interval: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const reach = tQuantile((1 + level) / 2, n - 1) * Math.sqrt(variance / n);
  return { mean, interval: [mean - reach, mean + reach] };
}
