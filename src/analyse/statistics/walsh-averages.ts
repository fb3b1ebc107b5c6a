/** Up to this many values all Walsh averages are made, and selected from; beyond, single ones are searched for. */
const directLimit = 32;

/** The k-th smallest (k from 1) of the n(n+1)/2 Walsh averages (xᵢ + xⱼ)/2, i ≤ j. */
export type WalshOrderStatistic = (k: number) => number;

/**
 * Order statistics of the Walsh averages of `values`. Small samples: all averages, which are selected from, not sorted, because
 * few are asked for. Large samples: bisection on the value with a linear count of the averages not above it, so that n = 5000 needs
 * no 12 million numbers.
 */
export function walshOrderStatistics(values: readonly number[]): WalshOrderStatistic {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length > directLimit) return (k) => searchSum(sorted, k) / 2;
  const sums = new Float64Array((sorted.length * (sorted.length + 1)) / 2);
  let next = 0;
  for (let i = 0; i < sorted.length; i++) {
    for (let j = i; j < sorted.length; j++) sums[next++] = (sorted[i] as number) + (sorted[j] as number);
  }
  return (k) => select(sums, k - 1) / 2;
}

/** The value that would stand at `index` if all were sorted (Hoare 1961). Moves values, which makes the next selection cheaper. */
function select(values: Float64Array, index: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const moved = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = moved;
    }
    if (index <= right) high = right;
    else if (index >= left) low = left;
    else break;
  }
  return values[index] as number;
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
