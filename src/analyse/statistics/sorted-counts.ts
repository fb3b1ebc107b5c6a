/** How many of the ascending values are below `limit`. */
export function countBelow(sorted: Float64Array, limit: number): number {
  return count(sorted, (value) => value < limit);
}

/** How many of the ascending values are not above `limit`. */
export function countUpTo(sorted: Float64Array, limit: number): number {
  return count(sorted, (value) => value <= limit);
}

function count(sorted: Float64Array, counts: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (counts(sorted[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
