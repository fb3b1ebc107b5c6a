import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { H2h3Error, hasErrno, messageOf } from '../../src/core/model/errors.ts';
import { progressFrames, runToEnd } from './ffmpeg.ts';
import { rateOf, type FilmPictures } from './film-pictures.ts';
import type { FilmSound } from './film-sound.ts';
import { filmTrack, type FilmTrack } from './film-track.ts';
import { throwIfInterrupted } from './interruption.ts';
import { lookAtFilm, playedRate, type FilmFacts } from './look-at-film.ts';

/** Where the pictures come from. */
export type VideoSource = { readonly kind: 'generated' } | VideoFileSource;

export interface VideoFileSource extends FilmTrack {
  readonly kind: 'file';
  /** SHA-256 of its bytes, hexadecimal: what it is called does not matter. */
  readonly sha256: string;
  /** How its pictures are played; absent for a video that was encoded when all were fitted into the ladder's own sizes and rate. */
  readonly pictures?: FilmPictures;
  /** Absent for a film without sound, and for one that was encoded when sound was left out. */
  readonly sound?: FilmSound;
}

export interface InputVideo {
  readonly source: VideoFileSource;
  readonly seconds: number;
  readonly facts: FilmFacts;
  /** Frames are not equally far apart. */
  readonly isVariable: boolean;
}

export interface InputLimits {
  /** One chunk (s). */
  readonly minSeconds: number;
  /** No more than this is looked at (s). */
  readonly maxSeconds: number;
}

/**
 * Decodes a video file as far as it is wanted: its hash, the first video track that is long enough, and how many seconds of
 * pictures an encode can have of it. Not every container says which track is a cover: one of a single picture is too short.
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
  let maxFoundSeconds: number | undefined;
  for (let track = 0; ; track++) {
    const source: VideoFileSource = { kind: 'file', file, sha256, track };
    const found = await readTrack(source, ffmpegPath, limits, signal).catch((thrown: unknown) => {
      // There are no more tracks.
      if (maxFoundSeconds !== undefined && matchesNone(thrown)) throw tooShort(file, maxFoundSeconds, limits);
      throw asNotAVideo(file, thrown);
    });
    if (found.seconds >= limits.minSeconds) return found;
    maxFoundSeconds = Math.max(found.seconds, maxFoundSeconds ?? 0);
  }
}

async function readTrack(
  source: VideoFileSource,
  ffmpegPath: string,
  { maxSeconds }: InputLimits,
  signal: AbortSignal,
): Promise<InputVideo> {
  const facts = await lookAtFilm(source, ffmpegPath, signal);
  const { rate } = playedRate(facts.frameRate);
  const track = filmTrack(0, source.track);
  const options = ['-map', track, '-vf', `vfrdet,fps=${rate}`, '-t', String(maxSeconds)];
  const shown = ['-hide_banner', '-nostdin', '-nostats', '-v', 'info', '-progress', 'pipe:1'];
  const args = [...shown, '-i', source.file, ...options, '-f', 'null', '-'];
  const { stdout, stderr } = await runToEnd({ ffmpegPath, args, signal });
  const seconds = progressFrames(stdout) / rateOf(rate);
  return { source, seconds, facts, isVariable: isVariable(stderr, facts.tickSeconds) };
}

/** Containers that count milliseconds round the times of frames. */
const roundingSeconds = 0.0021;

/** By the account of ffmpeg's filter `vfrdet`: the least and the greatest distance of frames, in ticks. */
function isVariable(log: string, tickSeconds: number): boolean {
  return [...log.matchAll(/VFR:[\d.]+ .*min: (\d+) max: (\d+)/g)].some(
    ([, least, most]) => (Number(most) - Number(least)) * tickSeconds > roundingSeconds,
  );
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

function matchesNone(failure: unknown): boolean {
  return failure instanceof H2h3Error && /matches no streams/i.test(failure.context.stderrTail ?? '');
}

function tooShort(file: string, seconds: number, { minSeconds }: InputLimits): H2h3Error {
  return new H2h3Error('bad-input', 'the video is too short', {
    context: { file, expected: `at least one chunk of ${minSeconds} s`, got: `${seconds} s of video` },
  });
}

function asNotAVideo(file: string, failure: unknown): unknown {
  if (!(failure instanceof H2h3Error) || failure.code !== 'process-failed') return failure;
  const what = matchesNone(failure) ? 'the file has no video track' : 'the file is no video';
  return new H2h3Error('bad-input', what, {
    context: { file, stderrTail: failure.context.stderrTail ?? '' },
    next: 'give a file that ffmpeg can decode',
  });
}
