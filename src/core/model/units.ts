/** Bits of one byte, and the decimal prefixes that networks use. */
export const bitsPerByte = 8;
export const bytesPerMegabyte = 1_000_000;

/** Rate in Mbit/s (10^6 bit/s) of `bytes` in `durationMs`. @throws RangeError for a duration that is not positive. */
export function megabitsPerSecond(bytes: number, durationMs: number): number {
  if (!(durationMs > 0)) throw new RangeError(`duration must be positive, got ${durationMs} ms`);
  return (bytes * bitsPerByte) / durationMs / 1000;
}

const bytesPerUnit: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** A size as names of workloads have it, such as `100kb`, in bytes; 0 for one of no such form. */
export function bytesOfSize(size: string): number {
  const [, number = '0', unit = ''] = /^(\d+)(\w+)$/.exec(size) ?? [];
  return Number(number) * (bytesPerUnit[unit] ?? 0);
}

/** The same for people, decimal, as links are rated: `10 KB`, `2.5 MB`, `1 GB`. */
export function sizeTitle(bytes: number): string {
  if (bytes === 0) return 'empty';
  if (bytes >= 1e9) return `${bytes / 1e9} GB`;
  return bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`;
}
