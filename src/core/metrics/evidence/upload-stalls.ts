import type { SinkLine } from '../../model/sink-line.ts';

/** A progress bar that rests for longer is seen to rest (Nielsen 1993, chapter 5). */
const leastStallMs = 1000;

/** Lengths of the times in which no byte of a body came and that a person notices, ms; null where the sink left no account. */
export function uploadStallsMs(arrived: readonly SinkLine[] | undefined): readonly number[] | null {
  if (arrived === undefined) return null;
  return arrived
    .flatMap(({ pauses }) => pauses.map(({ durationMs }) => durationMs))
    .filter((durationMs) => durationMs >= leastStallMs);
}
