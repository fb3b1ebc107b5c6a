import { movingPictures } from '../../src/core/metrics/evidence/shown-frames.ts';
import { nearestRank } from '../../src/core/metrics/evidence/messages.ts';
import type { VideoSession } from '../../src/core/model/session.ts';

/**
 * By how many frames the picture on the screen was behind the one that the player's playhead names (below zero: before it): at each
 * sample of the playhead, the median over the session. Undefined where a session has not both.
 */
export function framesBehindPlayhead(session: VideoSession): number | undefined {
  const { frames, relay, bufferSamples, endedMs } = session;
  if (frames === undefined || relay !== undefined) return undefined;
  const moving = movingPictures(frames.shown);
  const behind = bufferSamples.flatMap(({ tMs, mediaSeconds }) => {
    const painted = moving.findLast(([atMs]) => atMs <= tMs);
    if (painted === undefined || (endedMs !== null && tMs >= endedMs)) return [];
    const [, number] = painted;
    return [Math.floor(mediaSeconds * frames.perSecond) + 1 - number];
  });
  behind.sort((a, b) => a - b);
  return nearestRank(behind, 0.5) ?? undefined;
}
