/**
 * Sample quantile of ascending values, type 7 of Hyndman & Fan (1996): linear between order statistics at
 * position (n − 1)·p. The default of R, NumPy and spreadsheets. Undefined for an empty sample.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, probability: number): number | undefined {
  const position = (sorted.length - 1) * probability;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (position - Math.floor(position));
}

/** Steps of a drawn distribution: finer ones cannot be told apart on a screen. */
const drawnSteps = 200;

/** Quantiles of ascending values, from the least to the most in equal shares, as a distribution is drawn; empty for no values. */
export function equalShares(sorted: readonly number[]): number[] {
  return Array.from({ length: drawnSteps + 1 }, (_, step) =>
    quantileOfSorted(sorted, step / drawnSteps),
  ).filter((quantile) => quantile !== undefined);
}

export interface SampleDescription {
  readonly n: number;
  readonly median: number | null;
  readonly quartiles: [number, number] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** Count, median, quartiles (type 7) and range of a sample in any order. */
export function describeSample(values: readonly number[]): SampleDescription {
  const sorted = [...values].sort((a, b) => a - b);
  const lower = quantileOfSorted(sorted, 0.25);
  const upper = quantileOfSorted(sorted, 0.75);
  return {
    n: sorted.length,
    median: quantileOfSorted(sorted, 0.5) ?? null,
    quartiles: lower === undefined || upper === undefined ? null : [lower, upper],
    minimum: sorted[0] ?? null,
    maximum: sorted[sorted.length - 1] ?? null,
  };
}
