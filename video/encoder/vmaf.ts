import { join } from 'node:path';
import { z } from 'zod';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PrepareContext } from '../../src/core/model/workload.ts';
import type { AssetRequest } from './asset.ts';
import { contentKey, makeAtomically, videoFolders } from './content-cache.ts';
import type { EncodePasses } from './encode-passes.ts';
import { pictures, type TrackEncode } from './encode-arguments.ts';
import { ffmpegVersion, runFfmpeg } from './ffmpeg.ts';
import { filmTrack } from './film-track.ts';
import { segmentCount, segmentFrames } from './segment-frames.ts';
import { frameRateOf } from '../ladders/ladder.ts';
import { readInput, readKept } from '../../src/core/system/read-input.ts';
import { makeFolder } from '../../src/core/system/storage-error.ts';

/** Raise it when the same encode shall get other values. */
export const vmafVersion = 1;
/** The model that libvmaf takes by default is of a 1080p screen at three times its height. */
const screenHeight = 1080;
const screenWidth = 1920;

const logSchema = z.object({
  frames: z.array(z.object({ frameNum: z.number(), metrics: z.object({ vmaf: z.number() }) })),
});

/** By what quality is worked out. */
export interface VmafSituation {
  readonly context: PrepareContext;
  /** An ffmpeg that has libvmaf. */
  readonly vmafPath: string;
  readonly passes: EncodePasses;
  /** Of the track in its ladder. */
  readonly index: number;
}

/** Whether the tracks of a ladder differ in their pictures, so that comparing them says something. */
export const hasPictureQuality = ({ ladder: { form, tracks } }: Pick<AssetRequest, 'ladder'>): boolean =>
  form !== 'padded' && tracks.length > 1;

/**
 * VMAF of each segment of an encode against the pictures that it was made of, both as a 1080p screen shows them. It is
 * worked out once for all chunk lengths and kept next to the encode.
 * @throws H2h3Error `process-failed`, `storage`, `interrupted`
 */
export async function segmentVmaf(
  file: string,
  encode: TrackEncode,
  request: AssetRequest,
  situation: VmafSituation,
): Promise<number[]> {
  const { chunkSeconds, mediaSeconds, filmSeconds } = request;
  const frames = await frameVmaf(file, encode, request, situation);
  const film = Array.from({ length: segmentCount(filmSeconds, chunkSeconds) }, (_, index) => {
    const { first, count } = segmentFrames(request, index);
    const own = frames.filter(({ frameNum }) => frameNum >= first && frameNum < first + count);
    if (own.length === 0) throw new H2h3Error('internal', `no frame of segment ${index + 1} was compared`);
    return own.reduce((sum, { metrics }) => sum + metrics.vmaf, 0) / own.length;
  });
  const count = segmentCount(mediaSeconds, chunkSeconds);
  return Array.from({ length: count }, (_, index) => film[index % film.length] ?? 0);
}

async function frameVmaf(
  file: string,
  encode: TrackEncode,
  request: AssetRequest,
  { context, vmafPath, passes, index }: VmafSituation,
): Promise<z.infer<typeof logSchema>['frames']> {
  const folders = videoFolders(context.cacheDir);
  const version = await ffmpegVersion(vmafPath, context.signal);
  const key = contentKey({ vmafVersion, version, encode: encode.identity });
  const kept = join(folders.encodes, `${key}.vmaf.json`);
  const found = readKept(kept, 'the VMAF of a video');
  if (found !== null) {
    passes.skip('compare', index);
    return logSchema.parse(JSON.parse(found)).frames;
  }
  const onProgress = (fraction: number): void => passes.at('compare', index, fraction, encode.label);
  onProgress(0);
  makeFolder(folders.encodes);
  await makeAtomically(folders, kept, async (partial) => {
    const args = vmafArguments(file, encode.frames, request, partial);
    const { signal } = context;
    await runFfmpeg({ ffmpegPath: vmafPath, args, signal, totalSeconds: encode.seconds, onProgress });
  });
  passes.finish('compare', index);
  return logSchema.parse(JSON.parse(readInput(kept, { what: 'the VMAF of a video' }).toString('utf8')))
    .frames;
}

/** The run of ffmpeg that writes the VMAF of each frame to `log`. With every other frame left out (`n_subsample`) means moved by more than 0.5. */
function vmafArguments(
  file: string,
  frames: number,
  { ladder, source }: AssetRequest,
  log: string,
): string[] {
  const top = ladder.tracks.at(-1) ?? { width: 0, height: 0 };
  const shrink = Math.min(1, screenWidth / top.width, screenHeight / top.height);
  const width = 2 * Math.round((top.width * shrink) / 2);
  const height = 2 * Math.round((top.height * shrink) / 2);
  const shown = `scale=${width}:${height}:flags=bicubic,format=yuv420p,setpts=N/(${frameRateOf(ladder)}*TB)`;
  const { input, filter } = inputAndFilter(pictures(ladder, top, source, 'file'));
  const compare = `libvmaf=log_fmt=json:log_path=${filterValue(log)}:n_threads=2:shortest=1`;
  const original = source.kind === 'file' ? filmTrack(1, source.track) : '1:v';
  const graph = `[0:v]${shown}[encoded];[${original}]${filter}${shown}[original];[encoded][original]${compare}`;
  const comparison = ['-lavfi', graph, '-frames:v', String(frames), '-f', 'null', '-'];
  return ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-i', file, ...input, ...comparison];
}

/** What filters an input file is given as an option of the output, which has no place next to a graph of filters. */
function inputAndFilter(args: readonly string[]): {
  readonly input: readonly string[];
  readonly filter: string;
} {
  const mapped = args.indexOf('-map');
  const filtered = args.indexOf('-vf');
  if (mapped < 0 || filtered < 0) return { input: args, filter: '' };
  return { input: args.slice(0, mapped), filter: `${args[filtered + 1] ?? ''},` };
}

/** A path as the value of an option in a graph of filters: escaped once for the option and once for the graph. */
function filterValue(text: string): string {
  const option = text.replaceAll(/[\\':]/g, (character) => `\\${character}`);
  return option.replaceAll(/[\\'[\],;]/g, (character) => `\\${character}`);
}
