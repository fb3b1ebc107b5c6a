import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PrepareContext } from '../../src/core/model/workload.ts';
import { frameRateOf, representationId } from '../ladders/ladder.ts';
import type { LadderTrack } from '../ladders/ladder.ts';
import { assetFile, initFile, segmentFile } from './asset.ts';
import type { Asset } from './asset.ts';
import type { EncodePasses } from './encode-passes.ts';
import type { TrackEncode } from './encode-arguments.ts';
import { readFragmentedFile } from './fragmented-file.ts';
import type { FragmentedFile, TrackHeader } from './fragmented-file.ts';
import { throwIfInterrupted } from './interruption.ts';
import { manifestFile, manifestText, playlists, verifyManifest } from './manifest.ts';
import type { AssetRequest } from './asset.ts';
import { cutSegments, padSegment, repeatSegments, writeSegment } from './segment-writer.ts';
import { segmentCount } from './segment-frames.ts';
import { segmentVmaf } from './vmaf.ts';
import { exactBytes, verifyTrack } from './verify-segments.ts';
import { writeSound } from './write-sound.ts';
import { makeFolder } from '../../src/core/system/storage-error.ts';

type AssetTrack = Asset['tracks'][number];

export interface AssetSources {
  readonly encodes: readonly TrackEncode[];
  /** The encoded file of each track of the ladder. */
  readonly files: readonly string[];
  /** The encoded file of the sound; undefined: there is none. */
  readonly soundFile: string | undefined;
  readonly version: string;
  readonly context: PrepareContext;
  /** An ffmpeg that works out VMAF; undefined where none can be had, or it would say nothing. */
  readonly vmafPath: string | undefined;
  readonly passes: EncodePasses;
}

/** Cuts and pads the encodes into `directory`, reads everything back, and writes `asset.json` last. @throws H2h3Error */
export async function writeAsset(
  directory: string,
  request: AssetRequest,
  sources: AssetSources,
): Promise<void> {
  const { ladder, chunkSeconds, mediaSeconds } = request;
  const { context, files, soundFile, encodes, version, vmafPath, passes } = sources;
  makeFolder(directory);
  const tracks: AssetTrack[] = [];
  for (const [index, track] of ladder.tracks.entries()) {
    throwIfInterrupted(context.signal);
    const fraction = index / ladder.tracks.length;
    context.progress({ title: 'cutting segments', fraction, detail: representationId(track) });
    const file = files[index] ?? '';
    const written = await writeTrack(directory, request, track, file);
    const encode = encodes[index];
    const quality =
      vmafPath === undefined || encode === undefined
        ? {}
        : { segmentVmaf: await segmentVmaf(file, encode, request, { context, vmafPath, passes, index }) };
    tracks.push({ ...written, ...quality });
  }
  const partSeconds = ladder.numbersFrames === true ? 1 / ladder.framesPerSecond : undefined;
  const sound =
    soundFile === undefined
      ? {}
      : { sound: await writeSound(directory, request, { file: soundFile, partSeconds }) };
  const asset: Asset = {
    schemaVersion: 1,
    ladder: ladder.id,
    codecs: tracks[0]?.codecs ?? '',
    chunkSeconds,
    mediaSeconds,
    ...(partSeconds === undefined ? {} : { partSeconds }),
    ffmpegVersion: version,
    encoderArguments: encodes.map((encode) => [...encode.identity]),
    manifests: await writeManifests(directory, request, { tracks, ...sound }),
    tracks,
    ...sound,
  };
  await writeFile(join(directory, assetFile), `${JSON.stringify(asset, null, 1)}\n`);
}

async function writeTrack(
  directory: string,
  request: AssetRequest,
  track: LadderTrack,
  file: string,
): Promise<AssetTrack> {
  const encode = await readFragmentedFile(file);
  const header = encode.track;
  if (header === null) {
    throw new H2h3Error('process-failed', 'an encode has no video track', { context: { file } });
  }
  const representation = representationId(track);
  await mkdir(join(directory, representation));
  await writeFile(join(directory, representation, initFile), encode.init);
  const written: AssetTrack = {
    representation,
    bitrateKbps: track.bitrateKbps,
    width: header.width,
    height: header.height,
    codecs: header.codecs,
    initBytes: encode.init.length,
    segmentBytes: await writeSegments({
      directory: join(directory, representation),
      assetRequest: request,
      track,
      file,
      encode,
      header,
    }),
  };
  await verifyTrack(directory, request, written, header);
  return written;
}

interface WriteSegmentsOptions {
  readonly directory: string;
  readonly assetRequest: AssetRequest;
  readonly track: LadderTrack;
  readonly file: string;
  readonly encode: FragmentedFile;
  readonly header: TrackHeader;
}

async function writeSegments({
  directory,
  assetRequest,
  track,
  file,
  encode,
  header,
}: WriteSegmentsOptions): Promise<number[]> {
  const { ladder, chunkSeconds, mediaSeconds } = assetRequest;
  const segmentBytes: number[] = [];
  const source = await open(file, 'r');
  try {
    const film = cutSegments(encode, header, assetRequest, file);
    for (const [index, segment] of repeatSegments(film, segmentCount(mediaSeconds, chunkSeconds)).entries()) {
      const target = join(directory, segmentFile(index + 1));
      const mediaBytes = await writeSegment(source, segment, target);
      const padded = ladder.form === 'padded';
      const bytes = padded ? exactBytes(track.bitrateKbps, segment.durationSeconds) : mediaBytes;
      if (padded) await padSegment(target, mediaBytes, bytes);
      segmentBytes.push(bytes);
    }
  } finally {
    await source.close();
  }
  return segmentBytes;
}

async function writeManifests(
  directory: string,
  { ladder, chunkSeconds, playSeconds }: AssetRequest,
  streams: Pick<Asset, 'tracks' | 'sound'>,
): Promise<Asset['manifests']> {
  const manifests: Asset['manifests'] = [];
  for (const seconds of playSeconds) {
    const file = manifestFile(seconds);
    const content = { ...streams, chunkSeconds, frameRate: frameRateOf(ladder) };
    await writeFile(join(directory, file), manifestText(content, seconds));
    const text = await readFile(join(directory, file), 'utf8');
    verifyManifest(text, streams, join(directory, file));
    manifests.push({ file, seconds, bytes: Buffer.byteLength(text) });
    for (const [name, playlist] of playlists(content, seconds)) {
      await writeFile(join(directory, name), playlist);
      manifests.push({ file: name, seconds, bytes: Buffer.byteLength(playlist) });
    }
  }
  return manifests;
}
