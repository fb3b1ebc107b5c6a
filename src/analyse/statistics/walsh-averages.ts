/** Up to this many values all Walsh averages are made and sorted; beyond, single ones are searched for. */
const directLimit = 32;

/** The k-th smallest (k from 1) of the n(n+1)/2 Walsh averages (xᵢ + xⱼ)/2, i ≤ j. */
export type WalshOrderStatistic = (k: number) => number;

/**
 * Order statistics of the Walsh averages of `values`. Small samples: all averages, sorted. Large samples:
 * bisection on the value with a linear count of the averages not above it, so that n = 5000 needs neither
 * 12 million numbers nor their sorting.
 */
export function walshOrderStatistics(values: readonly number[]): WalshOrderStatistic {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length > directLimit) return (k) => searchSum(sorted, k) / 2;
  const sums = new Float64Array((sorted.length * (sorted.length + 1)) / 2);
  let next = 0;
  for (let i = 0; i < sorted.length; i++) {
    for (let j = i; j < sorted.length; j++) sums[next++] = (sorted[i] as number) + (sorted[j] as number);
  }
  sums.sort();
  return (k) => (sums[k - 1] as number) / 2;
}

/** The smallest double s with at least k sums xᵢ + xⱼ ≤ s: which is one of the sums. */
function searchSum(sorted: Float64Array, k: number): number {
  const last = sorted[sorted.length - 1] as number;
  let low = 2 * (sorted[0] as number);
  if (countSumsUpTo(sorted, low) >= k) return low;
  let high = 2 * last;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (countSumsUpTo(sorted, middle) >= k) high = middle;
    else low = middle;
  }
}

function countSumsUpTo(sorted: Float64Array, limit: number): number {
  let count = 0;
  let j = sorted.length - 1;
  for (let i = 0; i <= j; i++) {
    while (j >= i && (sorted[i] as number) + (sorted[j] as number) > limit) j--;
    count += j - i + 1;
  }
  return count;
}
