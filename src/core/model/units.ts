/** Bits of one byte, and the decimal prefixes that networks use. */
export const bitsPerByte = 8;
export const bytesPerMegabyte = 1_000_000;

/** Rate in Mbit/s (10^6 bit/s) of `bytes` in `durationMs`. @throws RangeError for a duration that is not positive. */
export function megabitsPerSecond(bytes: number, durationMs: number): number {
  if (!(durationMs > 0)) throw new RangeError(`duration must be positive, got ${durationMs} ms`);
  return (bytes * bitsPerByte) / durationMs / 1000;
}
