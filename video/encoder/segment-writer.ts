import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { AssetRequest } from './asset.ts';
import type { Fragment, FragmentedFile, TrackHeader } from './fragmented-file.ts';
import { boxContent } from './mp4-boxes.ts';
import { segmentCount, segmentFrames } from './segment-frames.ts';

/** One media segment: consecutive fragments of an encode. */
export interface Segment {
  readonly fragments: readonly Fragment[];
  readonly durationSeconds: number;
  /** How much later than in the encode it is played (ticks), and by how many fragments; absent: it stays where it is. */
  readonly moved?: { readonly ticks: number; readonly fragments: number };
}

const freeHeaderBytes = 8;

/**
 * Groups the fragments of an encode into segments; the last may be shorter.
 * @throws H2h3Error `process-failed` when a chunk border falls into a fragment or a segment does not start with a keyframe.
 */
export function cutSegments(
  encode: FragmentedFile,
  track: TrackHeader,
  cut: Pick<AssetRequest, 'chunkSeconds' | 'filmSeconds' | 'mediaSeconds' | 'ladder'>,
  file: string,
): Segment[] {
  const segments: Fragment[][] = [];
  const { framesPerSecond } = cut.ladder;
  const starts = Array.from(
    { length: segmentCount(cut.filmSeconds, cut.chunkSeconds) },
    (_, index) => segmentFrames(cut, index).first,
  );
  for (const fragment of encode.fragments) {
    const startSeconds = fragment.decodeTimeTicks / track.timescale;
    const frame = Math.round(startSeconds * framesPerSecond);
    const index = starts.findLastIndex((start) => start <= frame);
    const segment = segments[index];
    if (segment !== undefined) {
      segment.push(fragment);
      continue;
    }
    if (frame !== starts[index] || !fragment.startsWithKeyframe) {
      throw new H2h3Error('process-failed', 'an encode has no keyframe where a chunk must start', {
        context: {
          file,
          expected: `a keyframe at frame ${starts[index] ?? 0}`,
          got: `a fragment at frame ${frame}, keyframe: ${fragment.startsWithKeyframe}`,
        },
      });
    }
    segments[index] = [fragment];
  }
  return segments.map((fragments) => ({
    fragments,
    durationSeconds: fragments.reduce((sum, fragment) => sum + fragment.durationTicks, 0) / track.timescale,
  }));
}

/** The first `count` segments of a film that begins again whenever it is over. */
export function repeatSegments(film: readonly Segment[], count: number): Segment[] {
  const fragments = film.flatMap((segment) => segment.fragments);
  const filmTicks = fragments.reduce((sum, { durationTicks }) => sum + durationTicks, 0);
  return Array.from({ length: count }, (_, index) => film[index % film.length]).flatMap((segment, index) => {
    if (segment === undefined) return [];
    const round = Math.floor(index / film.length);
    return round === 0
      ? [segment]
      : [{ ...segment, moved: { ticks: round * filmTicks, fragments: round * fragments.length } }];
  });
}

/** Writes a segment from the open encode; returns its bytes. @throws H2h3Error `bad-input` for a fragment without a time */
export async function writeSegment(source: FileHandle, segment: Segment, file: string): Promise<number> {
  const handle = await open(file, 'wx');
  try {
    let written = 0;
    for (const fragment of segment.fragments) {
      const bytes = Buffer.alloc(fragment.size);
      await source.read(bytes, 0, fragment.size, fragment.offset);
      if (segment.moved !== undefined) moveFragment(bytes, segment.moved, file);
      await handle.write(bytes);
      written += fragment.size;
    }
    return written;
  } finally {
    await handle.close();
  }
}

/**
 * Fills `file` up to `targetBytes` with one `free` box. The box's content is a hole: zeros that take no room on disk.
 * @throws H2h3Error `bad-input` when the media already needs more.
 */
export async function padSegment(file: string, mediaBytes: number, targetBytes: number): Promise<void> {
  const padding = targetBytes - mediaBytes;
  if (padding < freeHeaderBytes) {
    throw new H2h3Error('bad-input', 'a padded ladder is too low for the video it carries', {
      context: {
        file,
        expected: `at most ${targetBytes - freeHeaderBytes} bytes of media`,
        got: `${mediaBytes} bytes`,
      },
    });
  }
  const handle = await open(file, 'r+');
  try {
    const header = Buffer.alloc(freeHeaderBytes);
    header.writeUInt32BE(padding, 0);
    header.write('free', 4, 'latin1');
    await handle.write(header, 0, freeHeaderBytes, mediaBytes);
    await handle.truncate(targetBytes);
  } finally {
    await handle.close();
  }
}

/** A fragment of a film that is played once more: its time (`tfdt`) and its number (`mfhd`) go on. */
function moveFragment(
  bytes: Buffer,
  { ticks, fragments }: NonNullable<Segment['moved']>,
  file: string,
): void {
  const time = boxContent(bytes, ['moof', 'traf', 'tfdt'], file);
  const number = boxContent(bytes, ['moof', 'mfhd'], file);
  if (time === undefined || number === undefined) {
    throw new H2h3Error('bad-input', 'an MP4 file lacks what a DASH segment needs', {
      context: { file, expected: 'boxes mfhd and tfdt', got: 'a fragment without' },
    });
  }
  // The boxes are views of the fragment: writing to them changes it.
  if (time[0] === 1) time.writeBigUInt64BE(time.readBigUInt64BE(4) + BigInt(ticks), 4);
  else time.writeUInt32BE(time.readUInt32BE(4) + ticks, 4);
  number.writeUInt32BE(number.readUInt32BE(4) + fragments, 4);
}
