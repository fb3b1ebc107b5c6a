/** The least of however many numbers; Infinity of none. `Math.min(...values)` has no stack for some hundred thousand. */
export function minOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}
