import type { DownloadInput } from '../metric-inputs.ts';

/** When the first connection of a download began, ms; null where no stream tells, or where one was open before. */
export function connectionStartMs({ streams, startMs }: DownloadInput): number | null {
  if (startMs === null) return null;
  const connecting = streams.filter(({ connectStartMs, connectEndMs }) => connectEndMs > connectStartMs);
  if (connecting.length === 0) return null;
  const beganMs = Math.min(...connecting.map(({ connectStartMs }) => connectStartMs));
  return beganMs > 0 ? Math.min(beganMs, startMs) : null;
}
