import type { VideoSession } from '../../core/model/session.ts';

const megabits = (kbps: number): string => `${Number((kbps / 1000).toPrecision(2))} Mbit/s`;

/**
 * Says of a session that the path could not carry even the lowest track: nothing else was fetched, and it came more slowly than it
 * plays. Nothing where it could, where chunks are made while they are watched, and where the ladder is not known.
 */
export function unplayablePath({ chunks, ladder, liveStartEpochMs }: VideoSession): string[] {
  const lowest = (ladder ?? []).toSorted((a, b) => a.bitrateKbps - b.bitrateKbps)[0];
  const fetched = chunks ?? [];
  if (lowest === undefined || liveStartEpochMs !== undefined || fetched.length < 2) return [];
  if (fetched.some(({ representation }) => representation !== lowest.representation)) return [];
  const beganMs = Math.min(...fetched.map(({ requestStartMs }) => requestStartMs));
  const tookMs = Math.max(...fetched.map(({ responseEndMs }) => responseEndMs)) - beganMs;
  const mediaSeconds = fetched.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  if (mediaSeconds * 1000 >= tookMs) return [];
  const bytes = fetched.reduce((sum, chunk) => sum + chunk.bytes, 0);
  return [
    `the path cannot carry the lowest track: ${megabits((bytes * 8) / tookMs)} came, and it has ${megabits(lowest.bitrateKbps)}`,
  ];
}
