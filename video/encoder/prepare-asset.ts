import { mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { PrepareContext } from '../../src/model/workload.ts';
import { representationId } from '../ladders/ladder.ts';
import type { Ladder, LadderTrack } from '../ladders/ladder.ts';
import { assetFile, initFile, readWholeAsset, segmentFile } from './asset.ts';
import type { Asset } from './asset.ts';
import { contentKey, makeAtomically, requireFreeSpace, videoFolders } from './content-cache.ts';
import { trackEncode } from './encode-arguments.ts';
import type { TrackEncode } from './encode-arguments.ts';
import { ffmpegVersion, runFfmpeg } from './ffmpeg.ts';
import { readFragmentedFile } from './fragmented-file.ts';
import type { FragmentedFile, TrackHeader } from './fragmented-file.ts';
import { throwIfInterrupted } from './interruption.ts';
import { manifestFile, manifestText, verifyManifest } from './manifest.ts';
import { cutSegments, padSegment, writeSegment } from './segment-writer.ts';
import { exactBytes, verifyTrack } from './verify-segments.ts';

export interface AssetRequest {
  readonly ladder: Ladder;
  readonly chunkSeconds: number;
  /** Length of the media (s), a multiple of the GOP. */
  readonly mediaSeconds: number;
  /** A manifest is written for each of these play lengths (s), none longer than the media. */
  readonly playSeconds: readonly number[];
}

export interface PreparedAsset {
  /** Folder name below the media root. */
  readonly name: string;
  readonly directory: string;
  readonly asset: Asset;
}

type AssetTrack = Asset['tracks'][number];

/** Raise it when the same inputs shall give other bytes. */
const formatVersion = 1;

/**
 * The segments and manifests of a ladder at one chunk length, from the cache or made now: encode (once for all chunk
 * lengths), cut, pad, verify, put in place whole.
 * @throws H2h3Error `unsupported` (no ffmpeg), `process-failed`, `storage`, `interrupted`
 */
export async function prepareAsset(request: AssetRequest, context: PrepareContext): Promise<PreparedAsset> {
  const folders = videoFolders(context.cacheDir);
  const ffmpegPath = await context.ffmpegPath();
  const version = await ffmpegVersion(ffmpegPath, context.signal);
  const encodes = request.ladder.tracks.map((track) =>
    trackEncode(request.ladder, track, request.mediaSeconds),
  );
  const key = contentKey({ formatVersion, version, request, encodes });
  const name = `${request.ladder.id}-${request.chunkSeconds}s-${key}`;
  const directory = join(folders.media, name);
  const cached = await readWholeAsset(directory);
  if (cached !== undefined) return { name, directory, asset: cached };
  await rm(directory, { recursive: true, force: true });

  const encodedFiles: string[] = [];
  for (const [index, encode] of encodes.entries()) {
    encodedFiles.push(
      await encodedTrack(encode, { context, ffmpegPath, version, done: index, total: encodes.length }),
    );
  }
  await requireFreeSpace(folders.work, await neededBytes(request, encodedFiles));
  await makeAtomically(folders, directory, async (partial) => {
    await writeAsset(partial, request, { encodes, encodedFiles, version, context });
  });
  const asset = await readWholeAsset(directory);
  if (asset === undefined) {
    throw new H2h3Error('internal', 'segments were written but are not whole', {
      context: { file: directory },
    });
  }
  return { name, directory, asset };
}

interface EncodeSituation {
  readonly context: PrepareContext;
  readonly ffmpegPath: string;
  readonly version: string;
  readonly done: number;
  readonly total: number;
}

/** The encoded file of a track, from the cache or made now. Each finished track is kept, so an interrupted ladder goes on. */
async function encodedTrack(encode: TrackEncode, situation: EncodeSituation): Promise<string> {
  const { context, done, total } = situation;
  const folders = videoFolders(context.cacheDir);
  const key = contentKey({ formatVersion, version: situation.version, args: encode.args });
  const file = join(folders.encodes, `${key}.mp4`);
  if (await isWholeFile(file)) return file;
  await makeAtomically(folders, file, async (partial) => {
    await runFfmpeg({
      ffmpegPath: situation.ffmpegPath,
      args: ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-y', ...encode.args, partial],
      signal: context.signal,
      totalSeconds: encode.seconds,
      onProgress: (fraction) => {
        context.progress({
          title: 'encoding video',
          fraction: (done + fraction) / total,
          detail: encode.label,
        });
      },
    });
  });
  return file;
}

async function isWholeFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.size > 0,
    () => false,
  );
}

async function neededBytes(request: AssetRequest, encodedFiles: readonly string[]): Promise<number> {
  const sizes = await Promise.all(encodedFiles.map(async (file) => (await stat(file)).size));
  return (
    sizes.reduce((sum, size) => sum + size, 0) + 16_384 * request.ladder.tracks.length * request.mediaSeconds
  );
}

interface AssetSources {
  readonly encodes: readonly TrackEncode[];
  readonly encodedFiles: readonly string[];
  readonly version: string;
  readonly context: PrepareContext;
}

async function writeAsset(directory: string, request: AssetRequest, sources: AssetSources): Promise<void> {
  const { ladder, chunkSeconds, mediaSeconds } = request;
  await mkdir(directory, { recursive: true });
  const tracks: AssetTrack[] = [];
  for (const [index, track] of ladder.tracks.entries()) {
    throwIfInterrupted(sources.context.signal);
    const file = sources.encodedFiles[index] ?? '';
    sources.context.progress({
      title: 'cutting segments',
      fraction: index / ladder.tracks.length,
      detail: representationId(track),
    });
    const encode = await readFragmentedFile(file);
    if (encode.track === null)
      throw new H2h3Error('process-failed', 'an encode has no video track', { context: { file } });
    const written = await writeTrack(directory, request, track, file, encode, encode.track);
    await verifyTrack(directory, ladder, written, encode.track, chunkSeconds, mediaSeconds);
    tracks.push(written);
  }
  const manifests = await writeManifests(directory, request, tracks);
  const asset: Asset = {
    schemaVersion: 1,
    ladder: ladder.id,
    codecs: tracks[0]?.codecs ?? '',
    chunkSeconds,
    mediaSeconds,
    ffmpegVersion: sources.version,
    encoderArguments: sources.encodes.map((encode) => [...encode.args]),
    manifests,
    tracks,
  };
  await writeFile(join(directory, assetFile), `${JSON.stringify(asset, null, 1)}\n`);
}

async function writeTrack(
  directory: string,
  request: AssetRequest,
  track: LadderTrack,
  file: string,
  encode: FragmentedFile,
  header: TrackHeader,
): Promise<AssetTrack> {
  const representation = representationId(track);
  const trackDir = join(directory, representation);
  await mkdir(trackDir);
  await writeFile(join(trackDir, initFile), encode.init);
  const segmentBytes: number[] = [];
  const source = await open(file, 'r');
  try {
    for (const [index, segment] of cutSegments(encode, header, request.chunkSeconds, file).entries()) {
      const target = join(trackDir, segmentFile(index + 1));
      let bytes = await writeSegment(source, segment, target);
      if (request.ladder.form === 'padded') {
        const exact = exactBytes(track.bitrateKbps, segment.durationSeconds);
        await padSegment(target, bytes, exact);
        bytes = exact;
      }
      segmentBytes.push(bytes);
    }
  } finally {
    await source.close();
  }
  return {
    representation,
    bitrateKbps: track.bitrateKbps,
    width: header.width,
    height: header.height,
    codecs: header.codecs,
    initBytes: encode.init.length,
    segmentBytes,
  };
}

async function writeManifests(
  directory: string,
  request: AssetRequest,
  tracks: readonly AssetTrack[],
): Promise<Asset['manifests']> {
  const manifests: Asset['manifests'] = [];
  for (const seconds of request.playSeconds) {
    const file = manifestFile(seconds);
    const { chunkSeconds, ladder } = request;
    await writeFile(
      join(directory, file),
      manifestText({ tracks: [...tracks], chunkSeconds, framesPerSecond: ladder.framesPerSecond }, seconds),
    );
    const text = await readFile(join(directory, file), 'utf8');
    verifyManifest(text, [...tracks], join(directory, file));
    manifests.push({ file, seconds, bytes: Buffer.byteLength(text) });
  }
  return manifests;
}
