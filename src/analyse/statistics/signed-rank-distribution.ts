import signrankCdf from '@stdlib/stats-base-dists-signrank-cdf';

/**
 * P(W⁺ ≤ w) under the null hypothesis for every w, where W⁺ is the sum of those of `ranks` (whole numbers)
 * whose sign is positive, all 2ⁿ sign patterns being equally likely. With midranks this is the exact
 * permutation distribution in the presence of ties (Hollander, Wolfe & Chicken, Nonparametric Statistical
 * Methods, 3rd ed., §3.1, comment 11). The index of the result is w.
 */
export function signedRankCumulative(ranks: readonly number[]): Float64Array {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const probability = new Float64Array(total + 1);
  probability[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let w = reached; w >= 0; w--) {
      const without = probability[w] as number;
      const withRank = w >= rank ? (probability[w - rank] as number) : 0;
      probability[w] = (without + withRank) / 2;
    }
  }
  for (let w = 1; w <= total; w++)
    probability[w] = (probability[w] as number) + (probability[w - 1] as number);
  return probability;
}

const untied = new Map<number, Float64Array>();

/** The same for `n` untied observations: ranks 1 … n. */
export function untiedSignedRankCumulative(n: number): Float64Array {
  let cumulative = untied.get(n);
  if (cumulative === undefined) {
    cumulative = new Float64Array((n * (n + 1)) / 2 + 1).fill(1);
    const last = cumulative.length - 1;
    // W⁺ and its mirror image are distributed alike; the library adds up from 0 for every w.
    for (let w = 0; 2 * w < last; w++) {
      cumulative[w] = signrankCdf(w, n);
      cumulative[last - w - 1] = 1 - (cumulative[w] as number);
    }
    untied.set(n, cumulative);
  }
  return cumulative;
}
