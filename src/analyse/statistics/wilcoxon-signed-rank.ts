import { normalCdf } from './normal-distribution.ts';
import { doubledMidranks, tieTerm } from './ranks.ts';
import { signedRankCumulative } from './signed-rank-distribution.ts';

/** Up to this many differences that are not zero the exact distribution is used. */
export const exactSignedRankLimit = 50;

export interface SignedRankTest {
  /** W⁺: sum of the ranks of the positive differences (midranks where they tie). */
  readonly statistic: number;
  /** Two-sided. 1 when nothing but zeros is left. */
  readonly pValue: number;
  /** Differences that are not zero: only these are ranked. */
  readonly n: number;
  /** Differences of exactly zero, left out of the ranking as Wilcoxon did. */
  readonly zeros: number;
  readonly tied: boolean;
  readonly method: 'exact' | 'normal';
}

/**
 * Two-sided Wilcoxon signed-rank test that paired differences are symmetric about zero.
 *
 * Exact (the permutation distribution of the midranks, so ties are exact too) up to
 * `exactSignedRankLimit`; beyond, the normal approximation with tie and continuity correction
 * (Hollander, Wolfe & Chicken 2014, §3.1, equations 3.5 and 3.9). Doubled p of the smaller tail,
 * at most 1, as R's `wilcox.test` has it.
 */
export function wilcoxonSignedRank(differences: readonly number[]): SignedRankTest {
  const nonZero = differences.filter((difference) => difference !== 0);
  const zeros = differences.length - nonZero.length;
  const n = nonZero.length;
  if (n === 0) return { statistic: 0, pValue: 1, n, zeros, tied: false, method: 'exact' };
  const magnitudes = nonZero.map(Math.abs);
  const doubled = doubledMidranks(magnitudes);
  const ties = tieTerm(magnitudes);
  const doubledStatistic = doubled.reduce(
    (sum, rank, i) => ((nonZero[i] as number) > 0 ? sum + rank : sum),
    0,
  );
  const statistic = doubledStatistic / 2;
  const exact = n <= exactSignedRankLimit;
  const pValue = exact ? exactPValue(doubled, doubledStatistic) : normalPValue(n, statistic, ties);
  return { statistic, pValue, n, zeros, tied: ties > 0, method: exact ? 'exact' : 'normal' };
}

function exactPValue(doubledRanks: readonly number[], doubledStatistic: number): number {
  const cumulative = signedRankCumulative(doubledRanks);
  // The distribution is symmetric, so the upper tail at w is the lower tail at its mirror image.
  const smallerTail = Math.min(doubledStatistic, cumulative.length - 1 - doubledStatistic);
  return Math.min(1, 2 * (cumulative[smallerTail] as number));
}

function normalPValue(n: number, statistic: number, ties: number): number {
  const mean = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  const distance = Math.max(0, Math.abs(statistic - mean) - 0.5);
  return Math.min(1, 2 * normalCdf(-distance / Math.sqrt(variance)));
}
