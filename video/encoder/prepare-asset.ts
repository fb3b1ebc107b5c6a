import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PrepareContext } from '../../src/core/model/workload.ts';
import { readWholeAsset } from './asset.ts';
import type { Asset, AssetRequest } from './asset.ts';
import { encoderFor } from './codec-encoders.ts';
import { contentKey, makeAtomically, requireFreeSpace, videoFolders } from './content-cache.ts';
import { trackEncode } from './encode-arguments.ts';
import { EncodePasses } from './encode-passes.ts';
import { encodedTracks } from './encode-tracks.ts';
import { estimateEncode } from './estimate.ts';
import { ffmpegVersion } from './ffmpeg.ts';
import { encodedSound, soundEncode } from './sound-encode.ts';
import { requireUnchanged } from './source.ts';
import { hasPictureQuality, vmafVersion } from './vmaf.ts';
import { writeAsset } from './write-asset.ts';

export interface PreparedAsset {
  /** Folder name below the media root. */
  readonly name: string;
  readonly directory: string;
  readonly asset: Asset;
}

/** Raise it when the same inputs shall give other bytes. */
const formatVersion = 2;
/** The same for what is cut out of the encodes: segments and manifests. */
const assetVersion = 3;

/**
 * The segments and manifests of a ladder at one chunk length, from the cache or made now: encode (once for all chunk
 * lengths), cut, pad, verify, put in place whole.
 * @throws H2h3Error `unsupported` (no ffmpeg), `process-failed`, `storage`, `interrupted`
 */
export async function prepareAsset(request: AssetRequest, context: PrepareContext): Promise<PreparedAsset> {
  const { ladder, chunkSeconds, mediaSeconds, filmSeconds, playSeconds, source } = request;
  const folders = videoFolders(context.cacheDir);
  const ffmpegPath = await context.ffmpegPath();
  const version = await ffmpegVersion(ffmpegPath, context.signal);
  const encoder = await encoderFor(ladder.codec, ffmpegPath, context.signal);
  const encodes = ladder.tracks.map((track) =>
    trackEncode({ ladder, track, seconds: filmSeconds, source, encoder }),
  );
  const sound = soundEncode(request);
  const key = contentKey({
    formatVersion,
    assetVersion,
    version,
    mediaSeconds,
    playSeconds,
    form: ladder.form,
    ...(hasPictureQuality(request) ? { pictureQuality: vmafVersion } : {}),
    tracks: ladder.tracks,
    encodes: encodes.map((encode) => encode.identity),
    ...(sound === undefined ? {} : { sound: sound.identity }),
  });
  const name = `${ladder.id}-${chunkSeconds}s-${key}`;
  const directory = join(folders.media, name);
  const cached = await readWholeAsset(directory);
  if (cached !== undefined) return { name, directory, asset: cached };
  await rm(directory, { recursive: true, force: true });

  await requireUnchanged(source, context.signal);
  announce(request, context);
  await requireFreeSpace(folders.work, estimateEncode(ladder, request).diskBytes);
  const vmafPath = hasPictureQuality(request) ? await context.vmafPath?.() : undefined;
  const passes = new EncodePasses(request, { compares: vmafPath !== undefined, report: context.progress });
  const files = await encodedTracks(encodes, { context, formatVersion, ffmpegPath, version, passes });
  const soundFile =
    sound === undefined ? undefined : await encodedSound(sound, context, { ffmpegPath, version });
  await makeAtomically(folders, directory, (partial) =>
    writeAsset(partial, request, { encodes, files, soundFile, version, context, vmafPath, passes }),
  );
  const asset = await readWholeAsset(directory);
  if (asset === undefined) {
    throw new H2h3Error('internal', 'segments were written but are not whole', {
      context: { file: directory },
    });
  }
  return { name, directory, asset };
}

/** Says what it will cost before it starts. */
function announce(request: AssetRequest, context: PrepareContext): void {
  const { ladder } = request;
  const { cpuSeconds, diskBytes } = estimateEncode(ladder, request);
  const detail = `${ladder.id}: about ${Math.ceil(cpuSeconds)} s of CPU time and ${Math.ceil(diskBytes / 1e6)} MB`;
  context.progress({ title: 'encoding video', fraction: 0, detail });
}
