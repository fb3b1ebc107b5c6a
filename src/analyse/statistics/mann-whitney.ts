import { normalCdf } from './normal-distribution.ts';
import { doubledMidranks, tieTerm } from './ranks.ts';

/** Up to this many values in both samples together the exact distribution is used. */
const exactLimit = 50;

export interface RankSumTest {
  /** U of the first sample: pairs in which it is larger, ties counting one half. */
  readonly statistic: number;
  /** Two-sided; null when a sample is empty. */
  readonly pValue: number | null;
  readonly tied: boolean;
  readonly method: 'exact' | 'normal';
}

/**
 * Two-sided Mann–Whitney (Wilcoxon rank-sum) test for unpaired samples. Exact permutation distribution of
 * the midranks up to 50 values, so ties are exact too; beyond, normal approximation with tie and continuity
 * correction (Hollander, Wolfe & Chicken 2014, §4.1).
 */
export function mannWhitney(first: readonly number[], second: readonly number[]): RankSumTest {
  const pooled = [...first, ...second];
  const doubled = doubledMidranks(pooled);
  const ties = tieTerm(pooled);
  const m = first.length;
  const n = second.length;
  const doubledSum = doubled.slice(0, m).reduce((sum, rank) => sum + rank, 0);
  const statistic = doubledSum / 2 - (m * (m + 1)) / 2;
  const exact = pooled.length <= exactLimit;
  const shared = { statistic, tied: ties > 0, method: exact ? 'exact' : 'normal' } as const;
  if (m === 0 || n === 0) return { ...shared, pValue: null };
  return {
    ...shared,
    pValue: exact ? exactPValue(doubled, m, doubledSum) : normalPValue(m, n, statistic, ties),
  };
}

/** Counts the choices of m ranks by their sum; every choice is equally likely under the null hypothesis. */
function exactPValue(doubled: readonly number[], m: number, doubledSum: number): number {
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const waysBySize = Array.from({ length: m + 1 }, () => new Float64Array(total + 1));
  (waysBySize[0] as Float64Array)[0] = 1;
  for (const rank of doubled) {
    for (let size = m; size >= 1; size--) {
      const target = waysBySize[size] as Float64Array;
      const source = waysBySize[size - 1] as Float64Array;
      for (let sum = total; sum >= rank; sum--)
        target[sum] = (target[sum] as number) + (source[sum - rank] as number);
    }
  }
  const ways = waysBySize[m] as Float64Array;
  let lower = 0;
  let upper = 0;
  let all = 0;
  ways.forEach((count, sum) => {
    all += count;
    if (sum <= doubledSum) lower += count;
    if (sum >= doubledSum) upper += count;
  });
  return Math.min(1, (2 * Math.min(lower, upper)) / all);
}

function normalPValue(m: number, n: number, statistic: number, ties: number): number {
  const size = m + n;
  const variance = ((m * n) / 12) * (size + 1 - ties / (size * (size - 1)));
  if (variance <= 0) return 1;
  const distance = Math.max(0, Math.abs(statistic - (m * n) / 2) - 0.5);
  return Math.min(1, 2 * normalCdf(-distance / Math.sqrt(variance)));
}
