/** Figures by which a trace of a rate a second is described. */
export interface TraceStatistics {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  /** Share of seconds below 1 Mbit/s. */
  readonly outageShare: number;
  readonly afterOneSecond: number;
  readonly afterFiveSeconds: number;
}

function autocorrelation(values: readonly number[], mean: number, lag: number): number {
  let product = 0;
  let square = 0;
  values.forEach((value, index) => {
    square += (value - mean) ** 2;
    const later = values[index + lag];
    if (later !== undefined) product += (value - mean) * (later - mean);
  });
  return product / square;
}

export function statisticsOf(mbps: readonly number[]): TraceStatistics {
  const mean = mbps.reduce((sum, value) => sum + value, 0) / mbps.length;
  const sorted = mbps.toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    mean,
    median: quantile(0.5),
    p95: quantile(0.95),
    outageShare: mbps.filter((value) => value < 1).length / mbps.length,
    afterOneSecond: autocorrelation(mbps, mean, 1),
    afterFiveSeconds: autocorrelation(mbps, mean, 5),
  };
}
