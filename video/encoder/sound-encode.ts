import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PrepareContext } from '../../src/core/model/workload.ts';
import type { AssetRequest } from './asset.ts';
import { contentKey, hasContent, makeAtomically, videoFolders } from './content-cache.ts';
import { runFfmpeg } from './ffmpeg.ts';
import { soundChannels, soundEncoders, soundKbps, soundSamplesPerSecond, soundWords } from './film-sound.ts';
import type { SoundCodec } from './film-sound.ts';

/** One run of ffmpeg that encodes the sound of a film. */
export interface SoundEncode {
  readonly label: string;
  readonly seconds: number;
  readonly args: readonly string[];
  /** The same with the hash of the input file in place of its path: what the result is cached by. */
  readonly identity: readonly string[];
}

/** Samples beyond the end of the media: the frame in which it ends is whole. */
const spareSamples = 8192;

/** What a decoder gives before the first sample: as much is cut off, so that the sound is as early as its pictures. */
const primingSamples: Readonly<Record<SoundCodec, number>> = { aac: 1024, opus: 312 };

/** Of generated pictures: pink noise keeps an encoder at its rate. */
const generatedSound = `anoisesrc=color=pink:sample_rate=${soundSamplesPerSecond}:amplitude=0.1:seed=1`;

/** In which codec a video has sound; undefined: it has none. */
export function soundCodecOf({
  ladder,
  source,
}: Pick<AssetRequest, 'ladder' | 'source'>): SoundCodec | undefined {
  return source.kind === 'file' ? source.sound?.codec : ladder.sound;
}

/** What ffmpeg is told to have the sound. @param name how an input file is named */
function soundInput(source: AssetRequest['source'], name: 'file' | 'sha256'): string[] {
  return source.kind === 'file' ? ['-i', source[name]] : ['-f', 'lavfi', '-i', generatedSound];
}

/** Undefined for pictures without sound. The whole media is encoded, since frames of sound do not end where a film begins again. */
export function soundEncode({
  ladder,
  source,
  mediaSeconds,
  filmSeconds,
}: AssetRequest): SoundEncode | undefined {
  const codec = soundCodecOf({ ladder, source });
  if (codec === undefined) return undefined;
  const own = source.kind === 'file' ? source.sound : undefined;
  const { track, startSeconds } = own ?? { track: 0, startSeconds: 0 };
  const filmSamples = filmSeconds * soundSamplesPerSecond;
  const again =
    filmSeconds < mediaSeconds ? [`atrim=end_sample=${filmSamples}`, `aloop=-1:${filmSamples}`] : [];
  const cutSeconds = startSeconds + primingSamples[codec] / soundSamplesPerSecond;
  const filters = [
    `asetpts=PTS-${cutSeconds}/TB`,
    // What begins later, or has a gap, is filled with silence, and what is too short likewise.
    `aresample=${soundSamplesPerSecond}:async=1:first_pts=0`,
    'apad',
    ...again,
    `atrim=end_sample=${mediaSeconds * soundSamplesPerSecond + spareSamples}`,
  ];
  const output = [
    '-map',
    `0:a:${track}`,
    '-af',
    filters.join(','),
    '-ac',
    String(soundChannels),
    '-c:a',
    soundEncoders[codec],
    '-b:a',
    `${soundKbps}k`,
    '-movflags',
    'frag_every_frame+empty_moov+default_base_moof',
    '-f',
    'mp4',
  ];
  return {
    label: soundWords(codec),
    seconds: mediaSeconds,
    args: [...soundInput(source, 'file'), ...output],
    identity: [...soundInput(source, 'sha256'), ...output],
  };
}

/** The encoded file, from the cache or made now. @throws H2h3Error `process-failed`, `storage`, `interrupted` */
export async function encodedSound(
  { label, seconds, args, identity }: SoundEncode,
  context: PrepareContext,
  { ffmpegPath, version }: { readonly ffmpegPath: string; readonly version: string },
): Promise<string> {
  const folders = videoFolders(context.cacheDir);
  const file = join(folders.encodes, `${contentKey({ version, args: identity })}.mp4`);
  if (await hasContent(file)) return file;
  const prelude = ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-y'];
  await makeAtomically(folders, file, async (partial) => {
    await runFfmpeg({
      ffmpegPath,
      args: [...prelude, ...args, partial],
      signal: context.signal,
      totalSeconds: seconds,
      onProgress: (fraction) => context.progress({ title: 'encoding sound', fraction, detail: label }),
    }).catch(asSoundFailure);
  });
  return file;
}

/** What the pictures of a film are worth without its sound is the user's to say. */
function asSoundFailure(failure: unknown): never {
  if (!(failure instanceof H2h3Error) || failure.code !== 'process-failed') throw failure;
  throw new H2h3Error('process-failed', 'the sound of the film cannot be encoded', {
    context: failure.context,
    next: 'Encode a copy without sound: ffmpeg -i FILM -map 0:v -c copy COPY',
    cause: failure,
  });
}
