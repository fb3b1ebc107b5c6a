import type { VideoSession } from '../../model/session.ts';
import { nearestRank } from './messages.ts';
import { sum } from './numbers.ts';

/** A picture that stays longer than this on the screen is seen to stop (six frames of 30 a second), ms. */
const stillMs = 200;
/** A frame that comes so much later than the session's usual is late, ms. */
const lateMs = 100;

/** Stalls of one kind as `[startMs, endMs]` after the player's load call. */
export interface StallList {
  readonly intervals: readonly [number, number][];
  readonly totalMs: number;
}

/** What was on the screen of a broadcast whose pictures say their numbers. */
export interface ShownFrames {
  /** Each frame as it came: when it was seen (ms after the player's load call), and its latency (ms). */
  readonly shown: readonly (readonly [shownMs: number, latencyMs: number])[];
  /** From the moment at which each frame was made to its being seen (ms), in order of size. */
  readonly latenciesMs: readonly number[];
  /** When pictures began to move (ms after the player's load call); null: they never did. */
  readonly movesFromMs: number | null;
  /** Frames from the first one shown to the end of the broadcast that were never seen. */
  readonly lost: number;
  /** Those more than 100 ms later than the session's median. */
  readonly late: number;
  /** When the picture did not change between two frames, or from one to the session's end. */
  readonly stalls: StallList;
}

/**
 * Undefined for a session without numbered pictures. All begins with the first picture that another follows at once: one that a
 * player shows while it fills its buffer is part of the start-up.
 */
export function shownFramesOf(session: VideoSession): ShownFrames | undefined {
  const { frames, liveStartEpochMs, timeOriginEpochMs, loadCallMs, endedMs } = session;
  if (frames === undefined || liveStartEpochMs === undefined) return undefined;
  const frameMs = 1000 / frames.perSecond;
  const moving = movingPictures(frames.shown);
  const madeMs = (number: number): number => liveStartEpochMs + number * frameMs;
  const shown = moving.map(([tMs, number]): [number, number] => [
    tMs - loadCallMs,
    timeOriginEpochMs + tMs - madeMs(number),
  ]);
  const latenciesMs = shown.map(([, latencyMs]) => latencyMs).sort((a, b) => a - b);
  const usualMs = nearestRank(latenciesMs, 0.5) ?? 0;
  const begin = moving[0];
  const isWhole = moving.at(-1)?.[1] === frames.count;
  const momentsMs = [...moving.map(([tMs]) => tMs), ...(isWhole || endedMs === null ? [] : [endedMs])];
  return {
    shown,
    latenciesMs,
    movesFromMs: begin === undefined ? null : begin[0] - loadCallMs,
    lost: begin === undefined ? 0 : frames.count - begin[1] + 1 - moving.length,
    late: latenciesMs.filter((latencyMs) => latencyMs > usualMs + lateMs).length,
    stalls: stillPictures(
      momentsMs.map((tMs) => tMs - loadCallMs),
      frameMs,
    ),
  };
}

type Shown = readonly [atMs: number, number: number];

/** The frames as they were seen: a number that does not go up is no new one. From the first one on that another follows at once. */
export function movingPictures(shown: readonly Shown[]): readonly Shown[] {
  const rising: Shown[] = [];
  for (const frame of shown) if (frame[1] > (rising.at(-1)?.[1] ?? 0)) rising.push(frame);
  const begin = rising.findIndex(([atMs], index) => (rising[index + 1]?.[0] ?? Infinity) - atMs <= stillMs);
  return begin < 0 ? [] : rising.slice(begin);
}

/** A frame is due to be on the screen for its own time; what goes beyond it is the stall. */
function stillPictures(momentsMs: readonly number[], frameMs: number): StallList {
  const intervals = momentsMs.flatMap((nextMs, index): [number, number][] => {
    const before = momentsMs[index - 1];
    return before === undefined || nextMs - before <= stillMs ? [] : [[before + frameMs, nextMs]];
  });
  return { intervals, totalMs: sum(intervals.map(([start, end]) => end - start)) };
}
