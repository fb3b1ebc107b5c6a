import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Ladder } from '../ladders/ladder.ts';
import { segmentFile } from './asset.ts';
import type { Asset } from './asset.ts';
import { cappedBufferSeconds, cappedPeak } from './encode-arguments.ts';
import { readFragmentedFile } from './fragmented-file.ts';
import type { TrackHeader } from './fragmented-file.ts';
import { segmentCount, segmentFrames } from './segment-frames.ts';
import type { VideoSource } from './source.ts';

const timeToleranceSeconds = 1e-3;

/**
 * Reads every segment of a track back from disk and holds it against the ladder: size, start, length, keyframe, rate.
 * @throws H2h3Error `process-failed` naming the file, what was expected and what was got.
 */
export async function verifyTrack(
  directory: string,
  request: VerifyRequest,
  track: Asset['tracks'][number],
  header: TrackHeader,
): Promise<void> {
  const { chunkSeconds, mediaSeconds } = request;
  const count = segmentCount(mediaSeconds, chunkSeconds);
  expectEqual(directory, 'segments', count, track.segmentBytes.length);
  for (const [index, recordedBytes] of track.segmentBytes.entries()) {
    const file = join(directory, track.representation, segmentFile(index + 1));
    const frames = segmentFrames(request, index);
    const startSeconds = frames.first / request.ladder.framesPerSecond;
    const lengthSeconds = frames.count / request.ladder.framesPerSecond;
    const segment = await readFragmentedFile(file, header.defaults);
    const first = segment.fragments[0];
    const ticks = segment.fragments.reduce((sum, fragment) => sum + fragment.durationTicks, 0);
    expectEqual(file, 'a keyframe first', true, first?.startsWithKeyframe ?? false);
    expectNear(file, 'start in s', startSeconds, (first?.decodeTimeTicks ?? NaN) / header.timescale);
    expectNear(file, 'length in s', lengthSeconds, ticks / header.timescale);
    const { size } = await stat(file);
    expectEqual(file, 'bytes', recordedBytes, size);
    expectRate(file, sizeBounds(request, track.bitrateKbps, lengthSeconds), size);
  }
  const film = track.segmentBytes.slice(0, segmentCount(request.filmSeconds, chunkSeconds));
  const totalBytes = film.reduce((sum, bytes) => sum + bytes, 0);
  expectRate(join(directory, track.representation), meanBounds(request, track.bitrateKbps), totalBytes);
}

export interface VerifyRequest {
  readonly ladder: Pick<Ladder, 'form' | 'framesPerSecond'>;
  readonly chunkSeconds: number;
  readonly mediaSeconds: number;
  readonly filmSeconds: number;
  readonly source: VideoSource;
}

interface Bounds {
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** MP4 boxes and codec headers, and what rate control may miss: as a share, and per fragment. */
const rateTolerance = 0.02;
const overheadBytesPerSecond = 2000;
/** A one-pass encode may miss its mean by this share over a short video. */
const meanTolerance = 0.15;

/** What a segment may weigh: to the byte where it is padded, else as far as its rate-control buffer lets it swing. */
function sizeBounds({ ladder }: VerifyRequest, bitrateKbps: number, seconds: number): Bounds {
  const exact = exactBytes(bitrateKbps, seconds);
  const overhead = overheadBytesPerSecond * seconds;
  switch (ladder.form) {
    case 'padded':
      return { minBytes: exact, maxBytes: exact };
    case 'constant':
      return { minBytes: exact * (1 - rateTolerance), maxBytes: exact * (1 + rateTolerance) + overhead };
    case 'capped': {
      const peak = exactBytes(bitrateKbps, seconds * cappedPeak + cappedBufferSeconds);
      return { minBytes: 0, maxBytes: peak * (1 + rateTolerance) + overhead };
    }
  }
}

/** An own video may be easier than its rate allows; the generated one is hard enough to need it. */
function meanBounds({ ladder, source, filmSeconds }: VerifyRequest, bitrateKbps: number): Bounds {
  if (ladder.form !== 'capped') return { minBytes: 0, maxBytes: Infinity };
  const exact = exactBytes(bitrateKbps, filmSeconds);
  return {
    minBytes: source.kind === 'file' ? 0 : exact * (1 - meanTolerance),
    maxBytes: exact * (1 + meanTolerance) + overheadBytesPerSecond * filmSeconds,
  };
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

function expectRate(file: string, { minBytes, maxBytes }: Bounds, got: number): void {
  if (got >= minBytes && got <= maxBytes) return;
  throw mismatch(file, `${Math.floor(minBytes)} to ${Math.ceil(maxBytes)} bytes`, String(got));
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
