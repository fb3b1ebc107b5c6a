import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/*
 * Intervals written down a second time, from textbooks and not from src/analyse: what recounts the studies must not share a fault with
 * what counted them.
 */

export type Range = readonly [low: number, high: number];

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2;
}

/** Student's interval of a mean; nothing below four values. */
function studentRange(values: readonly number[], level: number): Range | null {
  const { length: n } = values;
  if (n < 4) return null;
  const mean = meanOf(values);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const reach = tQuantile((1 + level) / 2, n - 1) * Math.sqrt(variance / n);
  return [mean - reach, mean + reach];
}

/** How many of the 2ⁿ ways to give n ranks signs have each sum of positive ranks. */
function waysBySum(n: number): number[] {
  let ways = [1];
  for (let rank = 1; rank <= n; rank++) {
    const next = Array.from({ length: ways.length + rank }, () => 0);
    for (const [sum, count] of ways.entries()) {
      next[sum] = (next[sum] ?? 0) + count;
      next[sum + rank] = (next[sum + rank] ?? 0) + count;
    }
    ways = next;
  }
  return ways;
}

/** The interval of the signed-rank test, from the exact distribution of the sum of ranks; nothing below six values. */
function signedRankRange(values: readonly number[], level: number): Range | null {
  const { length: n } = values;
  if (n < 6) return null;
  const averages = values
    .flatMap((value, i) => values.slice(i).map((other) => (value + other) / 2))
    .toSorted((a, b) => a - b);
  let rank = 0;
  let below = 0;
  for (const count of waysBySum(n)) {
    below += count / 2 ** n;
    if (below > (1 - level) / 2 + 1e-12) break;
    rank++;
  }
  return rank === 0 ? null : [averages[rank - 1] ?? NaN, averages[averages.length - rank] ?? NaN];
}

/** Estimate and interval of the centre: of a mean over workloads by t, else by signed ranks. */
export function centreOf(
  values: readonly number[],
  level: number,
  isPooled: boolean,
): { readonly estimate: number; readonly range: Range | null } {
  if (isPooled) return { estimate: meanOf(values), range: studentRange(values, level) };
  const averages = values.flatMap((value, i) => values.slice(i).map((other) => (value + other) / 2));
  return { estimate: medianOf(averages), range: signedRankRange(values, level) };
}

/** Of n fair coins at most so many heads. */
function atMostHeads(heads: number, n: number): number {
  let ways = 1;
  let sum = 0;
  for (let k = 0; k <= heads; k++) {
    sum += ways / 2 ** n;
    ways = (ways * (n - k)) / (k + 1);
  }
  return sum;
}

/** Interval of a median by the order of the values; nothing below six. */
export function medianRange(values: readonly number[], level: number): Range | null {
  const { length: n } = values;
  if (n < 6) return null;
  const sorted = values.toSorted((a, b) => a - b);
  let rank = 0;
  while (atMostHeads(rank, n) < (1 - level) / 2) rank++;
  return [sorted[Math.max(0, rank - 1)] ?? NaN, sorted[Math.min(n - 1, n - rank)] ?? NaN];
}
