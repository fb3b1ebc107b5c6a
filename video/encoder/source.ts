import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { H2h3Error, hasErrno, messageOf } from '../../src/model/errors.ts';
import { progressFrames, runFfmpeg } from './ffmpeg.ts';
import { throwIfInterrupted } from './interruption.ts';

/** The first track of moving pictures: covers and thumbnails are video tracks to ffmpeg as well (`V` leaves them out). */
export const filmTrack = '0:V:0';

/** Where the pictures come from. */
export type VideoSource = { readonly kind: 'generated' } | VideoFileSource;

export interface VideoFileSource {
  readonly kind: 'file';
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal: what it is called does not matter. */
  readonly sha256: string;
}

export interface InputVideo {
  readonly source: VideoFileSource;
  readonly seconds: number;
}

export interface InputLimits {
  /** The rate at which it will be encoded. */
  readonly framesPerSecond: number;
  /** One chunk (s). */
  readonly leastSeconds: number;
  /** No more than this is looked at (s). */
  readonly mostSeconds: number;
}

/**
 * Decodes a video file as far as it is wanted: its hash, and how many seconds of pictures an encode can have of it.
 * Containers and packets tell lengths that can be off by some frames; decoding also finds what is damaged.
 * @throws H2h3Error `bad-input` when it cannot be read, is no video, has no video track, or is too short
 */
export async function readInputVideo(
  file: string,
  ffmpegPath: string,
  limits: InputLimits,
  signal: AbortSignal,
): Promise<InputVideo> {
  const sha256 = await hashFile(file, signal);
  const { framesPerSecond, leastSeconds, mostSeconds } = limits;
  const selection = ['-map', filmTrack, '-vf', `fps=${framesPerSecond}`, '-t', String(mostSeconds)];
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-progress',
    'pipe:1',
    '-i',
    file,
    ...selection,
    '-f',
    'null',
    '-',
  ];
  const output = await runFfmpeg({ ffmpegPath, args, signal }).catch((thrown: unknown) => {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'process-failed') throw thrown;
    throw notAVideo(file, thrown);
  });
  const seconds = progressFrames(output) / framesPerSecond;
  if (seconds < leastSeconds) {
    throw new H2h3Error('bad-input', 'the video is too short', {
      context: { file, expected: `at least one chunk of ${leastSeconds} s`, got: `${seconds} s of video` },
    });
  }
  return { source: { kind: 'file', file, sha256 }, seconds };
}

/** @throws H2h3Error `bad-input` when an input file is gone or is no longer what it was. */
export async function requireUnchanged(source: VideoSource, signal: AbortSignal): Promise<void> {
  if (source.kind !== 'file') return;
  const got = await hashFile(source.file, signal);
  if (got === source.sha256) return;
  throw new H2h3Error('bad-input', 'the video file is not the one that was encoded before', {
    context: { file: source.file, expected: `SHA-256 ${source.sha256}`, got },
    next: 'npx h2h3 encode it again',
  });
}

async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    // A named pipe without a writer would be waited for without end.
    if (!(await stat(file)).isFile()) throw new Error('it is no regular file');
    await pipeline(createReadStream(file), hash, { signal });
  } catch (thrown) {
    throwIfInterrupted(signal);
    const missing = hasErrno(thrown, 'ENOENT');
    throw new H2h3Error(
      'bad-input',
      missing ? 'there is no such video file' : 'the video file cannot be read',
      {
        context: missing ? { file } : { file, got: messageOf(thrown) },
        next: 'Name a video file that can be read: --input holiday.mp4; without it test pictures are encoded.',
        cause: thrown,
      },
    );
  }
  return hash.digest('hex');
}

function notAVideo(file: string, failure: H2h3Error): H2h3Error {
  const stderrTail = failure.context.stderrTail ?? '';
  const noTrack = /matches no streams/i.test(stderrTail);
  return new H2h3Error('bad-input', noTrack ? 'the file has no video track' : 'the file is no video', {
    context: { file, stderrTail },
    next: 'give a file that ffmpeg can decode',
  });
}
