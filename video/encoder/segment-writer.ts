import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { H2h3Error } from '../../src/model/errors.ts';
import type { Fragment, FragmentedFile, TrackHeader } from './fragmented-file.ts';

/** One media segment: consecutive fragments of an encode. */
export interface Segment {
  readonly fragments: readonly Fragment[];
  readonly durationSeconds: number;
}

const freeHeaderBytes = 8;
/** Half a tick of any usual timescale. */
const timeToleranceSeconds = 1e-3;

/**
 * Groups the fragments of an encode into segments of `chunkSeconds`; the last may be shorter.
 * @throws H2h3Error `process-failed` when a chunk border falls into a fragment or a segment does not start with a keyframe.
 */
export function cutSegments(
  encode: FragmentedFile,
  track: TrackHeader,
  chunkSeconds: number,
  file: string,
): Segment[] {
  const segments: Fragment[][] = [];
  for (const fragment of encode.fragments) {
    const startSeconds = fragment.decodeTimeTicks / track.timescale;
    const index = Math.floor((startSeconds + timeToleranceSeconds) / chunkSeconds);
    const segment = segments[index];
    if (segment !== undefined) {
      segment.push(fragment);
      continue;
    }
    if (
      Math.abs(startSeconds - index * chunkSeconds) > timeToleranceSeconds ||
      !fragment.startsWithKeyframe
    ) {
      throw new H2h3Error('process-failed', 'an encode has no keyframe where a chunk must start', {
        context: {
          file,
          expected: `a keyframe at ${index * chunkSeconds} s`,
          got: `a fragment at ${startSeconds} s, keyframe: ${fragment.startsWithKeyframe}`,
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

/** Writes a segment from the open encode; returns its bytes. Fragments that lie side by side are copied at once. */
export async function writeSegment(source: FileHandle, segment: Segment, file: string): Promise<number> {
  const handle = await open(file, 'wx');
  try {
    let written = 0;
    for (const fragment of segment.fragments) {
      const bytes = Buffer.alloc(fragment.size);
      await source.read(bytes, 0, fragment.size, fragment.offset);
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
