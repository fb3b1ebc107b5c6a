import type { PreparedWorkload } from '../../model/workload.ts';
import { mean, sum } from './numbers.ts';
import type { PlayedChunk } from './video-chunks.ts';

/** VMAF of each segment of a video, as it was worked out when the video was encoded. */
export type SegmentVmaf = NonNullable<PreparedWorkload['vmaf']>;

/** VMAF that nothing exceeds. */
const bestVmaf = 100;

/** VMAF of each chunk that was played, in order; null where it is not known of all of them. */
function vmafOfEach(
  played: readonly PlayedChunk[],
  { chunkSeconds, segments }: SegmentVmaf,
): readonly number[] | null {
  const known = played.flatMap(
    ({ representation, mediaStartSeconds }) =>
      segments[representation]?.[Math.round(mediaStartSeconds / chunkSeconds)] ?? [],
  );
  return known.length === 0 || known.length < played.length ? null : known;
}

/** Mean VMAF over the seconds that were played; null where it is not known of all that was played. */
export function playedVmaf(played: readonly PlayedChunk[], vmaf: SegmentVmaf): number | null {
  const known = vmafOfEach(played, vmaf);
  if (known === null) return null;
  const seconds = played.map(({ playedSeconds }) => playedSeconds);
  return sum(known.map((value, index) => value * (seconds[index] ?? 0))) / sum(seconds);
}

/**
 * The linear QoE of Yin et al. (SIGCOMM 2015, section 3.2) with VMAF for the worth of a chunk, as a mean over chunks. As
 * in the paper's balanced weights a change costs its size, and a second of stall as much as a chunk of the best quality
 * is worth. The start-up wait has a metric of its own.
 */
export function vmafQoe(
  played: readonly PlayedChunk[],
  vmaf: SegmentVmaf,
  stallTotalMs: number,
): number | null {
  const known = vmafOfEach(played, vmaf);
  const worth = mean(known ?? []);
  if (known === null || worth === null) return null;
  const changes = known.slice(1).map((value, index) => Math.abs(value - (known[index] ?? value)));
  return worth - (sum(changes) + (bestVmaf * stallTotalMs) / 1000) / known.length;
}
