import type { PreparedWorkload } from '../../model/workload.ts';
import { sum } from './numbers.ts';
import type { PlayedChunk } from './video-chunks.ts';

/** VMAF of each segment of a video, as it was worked out when the video was encoded. */
export type SegmentVmaf = NonNullable<PreparedWorkload['vmaf']>;

/** Mean VMAF over the seconds that were played; null where it is not known of all that was played. */
export function playedVmaf(
  played: readonly PlayedChunk[],
  { chunkSeconds, segments }: SegmentVmaf,
): number | null {
  const known = played.flatMap(({ representation, mediaStartSeconds, playedSeconds }) => {
    const vmaf = segments[representation]?.[Math.round(mediaStartSeconds / chunkSeconds)];
    return vmaf === undefined ? [] : [{ vmaf, playedSeconds }];
  });
  if (known.length === 0 || known.length < played.length) return null;
  const seconds = sum(known.map(({ playedSeconds }) => playedSeconds));
  return sum(known.map(({ vmaf, playedSeconds }) => vmaf * playedSeconds)) / seconds;
}
