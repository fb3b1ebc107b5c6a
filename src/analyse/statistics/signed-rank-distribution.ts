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

const untied = new Map<string, Float64Array>();

/** The same without ties: the sum over samples of these sizes, each with its own ranks 1 … n. Few plans give many different ones. */
export function untiedSignedRankCumulative(...sizes: readonly number[]): Float64Array {
  const key = sizes.toSorted((a, b) => a - b).join(' ');
  let cumulative = untied.get(key);
  if (cumulative === undefined) {
    cumulative = signedRankCumulative(sizes.flatMap((n) => Array.from({ length: n }, (_, i) => i + 1)));
    untied.set(key, cumulative);
  }
  return cumulative;
}
