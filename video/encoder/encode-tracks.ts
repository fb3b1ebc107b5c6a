import { join } from 'node:path';
import type { PrepareContext } from '../../src/core/model/workload.ts';
import { contentKey, hasContent, makeAtomically, videoFolders } from './content-cache.ts';
import { decodeOnce } from './decode-once.ts';
import type { TrackEncode } from './encode-arguments.ts';
import type { EncodePasses } from './encode-passes.ts';
import { runFfmpeg } from './ffmpeg.ts';

export interface EncodeSituation {
  readonly context: PrepareContext;
  readonly formatVersion: number;
  readonly ffmpegPath: string;
  /** First line of `ffmpeg -version`. */
  readonly version: string;
  readonly passes: EncodePasses;
}

/** Of the time until a track is there, roughly; the rest is decoding it once. */
const encodeShare = 0.8;

/**
 * The encoded file of each track, in their order, from the cache or made now. Each finished track has been decoded once and is
 * kept, so an interrupted ladder goes on where it was; equal tracks (of a padded ladder) are one file.
 * @throws H2h3Error `process-failed`, `storage`, `interrupted`
 */
export async function encodedTracks(
  encodes: readonly TrackEncode[],
  situation: EncodeSituation,
): Promise<string[]> {
  const files: string[] = [];
  for (const [index, encode] of encodes.entries()) {
    files.push(await encodedTrack(encode, index, situation));
  }
  return files;
}

async function encodedTrack(
  encode: TrackEncode,
  index: number,
  { context, formatVersion, ffmpegPath, version, passes }: EncodeSituation,
): Promise<string> {
  const folders = videoFolders(context.cacheDir);
  const file = join(folders.encodes, `${contentKey({ formatVersion, version, args: encode.identity })}.mp4`);
  if (await hasContent(file)) {
    passes.skip('encode', index);
    return file;
  }
  const onProgress = (fraction: number): void => passes.at('encode', index, fraction, encode.label);
  onProgress(0);
  const prelude = ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-y'];
  await makeAtomically(folders, file, async (partial) => {
    await runFfmpeg({
      ffmpegPath,
      args: [...prelude, ...encode.args, partial],
      signal: context.signal,
      totalSeconds: encode.seconds,
      onProgress: (fraction) => onProgress(fraction * encodeShare),
    });
    const decoded = (fraction: number): void => onProgress(encodeShare + fraction * (1 - encodeShare));
    await decodeOnce(partial, encode, { ffmpegPath, signal: context.signal }, decoded);
  });
  passes.finish('encode', index);
  return file;
}
