import { fetchedChunks } from '../../model/session.ts';
import type { VideoSession } from '../../model/session.ts';
import { finiteOrNull, sum } from './numbers.ts';
import { shownFramesOf, type StallList } from './shown-frames.ts';

/** With more than this buffered ahead, of pictures and sound alike, playback waited for the decoder and not for the network. */
export const decodeStallBufferSeconds = 0.5;
/** Buffered ranges and segment durations differ by less than a frame. */
const mediaRoundingSeconds = 0.05;

export interface Stalls {
  /** The buffer ran empty. */
  readonly network: StallList;
  /** There was enough to play: the decoder (or the machine) did not keep up. */
  readonly decode: StallList;
}

/**
 * Splits the waits of a session after playback began by their cause. A wait without an end lasts until the session's end.
 * Where pictures say their numbers, a stall is a picture that does not change, whatever the player says and whatever held it up.
 *
 * @param frames what was on the screen, where the caller knows it already
 */
export function stallsOf(session: VideoSession, frames = shownFramesOf(session)): Stalls {
  if (frames !== undefined) return { network: frames.stalls, decode: { intervals: [], totalMs: 0 } };
  const sessionEndMs = lastMomentMs(session);
  const stalls = (session.stalls ?? []).filter(({ startMs }) => Number.isFinite(startMs));
  const fetchedSeconds = Math.max(
    ...(session.chunks ?? []).map(
      ({ mediaStartSeconds, durationSeconds }) => mediaStartSeconds + durationSeconds,
    ),
  );
  // Near the end little is buffered because nothing is left to fetch: the network is not what is waited for.
  const isDecodeStall = ({ bufferSeconds, mediaSeconds }: VideoSession['stalls'][number]): boolean =>
    bufferSeconds > decodeStallBufferSeconds ||
    (session.outcome === 'ended' && mediaSeconds + bufferSeconds >= fetchedSeconds - mediaRoundingSeconds);
  const listOf = (isDecode: boolean): StallList => {
    const intervals = stalls
      .filter((stall) => isDecodeStall(stall) === isDecode)
      .map(({ startMs, endMs }): [number, number] => {
        const end = Math.max(startMs, finiteOrNull(endMs) ?? sessionEndMs);
        return [startMs - session.loadCallMs, end - session.loadCallMs];
      });
    return { intervals, totalMs: sum(intervals.map(([start, end]) => end - start)) };
  };
  return { network: listOf(false), decode: listOf(true) };
}

function lastMomentMs(session: VideoSession): number {
  const ended = finiteOrNull(session.endedMs);
  if (ended !== null) return ended;
  const moments = [
    session.loadCallMs,
    ...(session.bufferSamples ?? []).map(({ tMs }) => tMs),
    ...fetchedChunks(session).map(({ responseEndMs }) => responseEndMs),
  ];
  return Math.max(...moments.filter((moment) => Number.isFinite(moment)));
}
