/** The number if it is a finite one, else null. Evidence comes from files and other programs: nothing is taken on trust. */
export function finiteOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The number if it is finite and above 0, which browsers put where they withhold a moment; else null. */
export function positiveOrNull(value: unknown): number | null {
  const number = finiteOrNull(value);
  return number !== null && number > 0 ? number : null;
}

/** Difference in ms of two moments that a browser may have withheld (then it reports 0 or nothing); null if so or if negative. */
export function elapsedMs(startMs: unknown, endMs: unknown): number | null {
  const start = finiteOrNull(startMs);
  const end = finiteOrNull(endMs);
  if (start === null || end === null || start <= 0 || end < start) return null;
  return end - start;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Null where one of them is unknown, or there are none. */
export function meanOfKnown(values: readonly (number | null | undefined)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : mean(known);
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}
