import { normalCdf } from './normal-distribution.ts';
import { onRankScale } from './rank-scale.ts';
import { doubledMidranks, tieTerm } from './ranks.ts';
import { signedRankCumulative, untiedSignedRankCumulative } from './signed-rank-distribution.ts';

/** Up to this many differences that are not zero the exact distribution is used. */
export const exactSignedRankLimit = 50;

export interface SignedRankTest {
  /** W⁺: sum of the ranks of the positive differences (midranks where they tie). */
  readonly statistic: number;
  /** Two-sided. 1 when nothing but zeros is left. */
  readonly pValue: number;
  /** One-sided: of a centre that is not above, and not below, the shift. */
  readonly pGreater: number;
  readonly pLess: number;
  /** Differences that are not zero: only these are ranked. */
  readonly n: number;
  /** Differences of exactly zero, left out of the ranking as Wilcoxon did. */
  readonly zeros: number;
  readonly tied: boolean;
  readonly method: 'exact' | 'normal';
}

/**
 * Wilcoxon signed-rank test that paired differences are symmetric about `shift`, both sides at once.
 *
 * Exact (the permutation distribution of the midranks, so ties are exact too) up to
 * `exactSignedRankLimit`; beyond, the normal approximation with tie and continuity correction
 * (Hollander, Wolfe & Chicken 2014, §3.1, equations 3.5 and 3.9). Two-sided: doubled p of the smaller tail,
 * at most 1, as R's `wilcox.test` has it. An exchange of the arms changes the sign of every difference and no p.
 */
export function wilcoxonSignedRank(differences: readonly number[], shift = 0): SignedRankTest {
  const nonZero = onRankScale(differences, shift).filter((difference) => difference !== 0);
  const zeros = differences.length - nonZero.length;
  const n = nonZero.length;
  if (n === 0) {
    return { statistic: 0, pValue: 1, pGreater: 1, pLess: 1, n, zeros, tied: false, method: 'exact' };
  }
  const magnitudes = nonZero.map(Math.abs);
  const doubled = doubledMidranks(magnitudes);
  const ties = tieTerm(magnitudes);
  const positive = doubled.reduce((sum, rank, i) => ((nonZero[i] as number) > 0 ? sum + rank : sum), 0);
  const statistic = positive / 2;
  const exact = n <= exactSignedRankLimit;
  // The distribution is symmetric, so the upper tail at W⁺ is the lower tail at its mirror image, W⁻.
  const mirror = (n * (n + 1)) / 2 - statistic;
  const tail = exact ? exactTail(doubled, ties > 0) : normalTail(n, ties);
  const pLess = tail(statistic);
  const pGreater = tail(mirror);
  const pValue = Math.min(1, 2 * Math.min(pLess, pGreater));
  return { statistic, pValue, pGreater, pLess, n, zeros, tied: ties > 0, method: exact ? 'exact' : 'normal' };
}

/** P(W⁺ ≤ w) of these ranks. */
type LowerTail = (w: number) => number;

function exactTail(doubledRanks: readonly number[], tied: boolean): LowerTail {
  const cumulative = tied
    ? signedRankCumulative(doubledRanks)
    : untiedSignedRankCumulative(doubledRanks.length);
  return (w) => cumulative[tied ? 2 * w : w] as number;
}

function normalTail(n: number, ties: number): LowerTail {
  const mean = (n * (n + 1)) / 4;
  const spread = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - ties / 48);
  return (w) => normalCdf((w + 0.5 - mean) / spread);
}
