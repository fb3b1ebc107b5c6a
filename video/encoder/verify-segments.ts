import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { Ladder } from '../ladders/ladder.ts';
import { segmentFile } from './asset.ts';
import type { Asset } from './asset.ts';
import { readFragmentedFile } from './fragmented-file.ts';
import type { TrackHeader } from './fragmented-file.ts';

const timeToleranceSeconds = 1e-3;

/**
 * Reads every segment of a track back from disk and holds it against the ladder: size, start, length, keyframe.
 * @throws H2h3Error `process-failed` naming the file, what was expected and what was got.
 */
export async function verifyTrack(
  directory: string,
  ladder: Ladder,
  track: Asset['tracks'][number],
  header: TrackHeader,
  chunkSeconds: number,
  mediaSeconds: number,
): Promise<void> {
  const count = Math.ceil(mediaSeconds / chunkSeconds - timeToleranceSeconds);
  expectEqual(directory, 'segments', count, track.segmentBytes.length);
  for (const [index, recordedBytes] of track.segmentBytes.entries()) {
    const file = join(directory, track.representation, segmentFile(index + 1));
    const startSeconds = index * chunkSeconds;
    const lengthSeconds = Math.min(chunkSeconds, mediaSeconds - startSeconds);
    const segment = await readFragmentedFile(file, header.defaults);
    const first = segment.fragments[0];
    const ticks = segment.fragments.reduce((sum, fragment) => sum + fragment.durationTicks, 0);
    expectEqual(file, 'a keyframe first', true, first?.startsWithKeyframe ?? false);
    expectNear(file, 'start in s', startSeconds, (first?.decodeTimeTicks ?? NaN) / header.timescale);
    expectNear(file, 'length in s', lengthSeconds, ticks / header.timescale);
    const { size } = await stat(file);
    expectEqual(file, 'bytes', recordedBytes, size);
    if (ladder.form === 'padded')
      expectEqual(file, 'bytes', exactBytes(track.bitrateKbps, lengthSeconds), size);
  }
}

/** Bytes of `seconds` at a constant rate. */
export function exactBytes(bitrateKbps: number, seconds: number): number {
  return Math.round((bitrateKbps * 1000 * seconds) / 8);
}

function expectEqual<Value extends number | boolean>(
  file: string,
  what: string,
  expected: Value,
  got: Value,
): void {
  if (expected !== got) throw mismatch(file, `${what}: ${expected}`, String(got));
}

function expectNear(file: string, what: string, expected: number, got: number): void {
  if (!(Math.abs(expected - got) <= timeToleranceSeconds))
    throw mismatch(file, `${what}: ${expected}`, String(got));
}

function mismatch(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('process-failed', 'an encoded segment is not what the ladder says', {
    context: { file, expected, got },
  });
}
