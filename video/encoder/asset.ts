import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasErrno } from '../../src/core/model/errors.ts';
import { plainFileNameSchema } from '../../src/core/model/trial-id.ts';
import type { Ladder } from '../ladders/ladder.ts';
import type { VideoSource } from './source.ts';
import { readKept } from '../../src/core/system/read-input.ts';

/** `asset.json` of a folder of segments: what is in it, to the byte. */
const assetSchema = z.object({
  schemaVersion: z.literal(1),
  ladder: z.string(),
  codecs: z.string(),
  chunkSeconds: z.number(),
  mediaSeconds: z.number(),
  /** Length of the fragments of which a broadcast is sent (s); absent: one second. */
  partSeconds: z.number().optional(),
  ffmpegVersion: z.string(),
  encoderArguments: z.array(z.array(z.string())),
  manifests: z.array(z.object({ file: plainFileNameSchema, seconds: z.number(), bytes: z.number() })),
  tracks: z.array(
    z.object({
      representation: plainFileNameSchema,
      bitrateKbps: z.number(),
      width: z.number(),
      height: z.number(),
      codecs: z.string(),
      initBytes: z.number(),
      segmentBytes: z.array(z.number()),
      /** VMAF of each segment; absent where the tracks hold the same pictures, or no ffmpeg could work it out. */
      segmentVmaf: z.array(z.number()).optional(),
    }),
  ),
  /** Of a film with sound. It is none of the tracks: nothing chooses between rates of it. */
  sound: z
    .object({
      representation: plainFileNameSchema,
      bitrateKbps: z.number(),
      codecs: z.string(),
      channels: z.number(),
      samplesPerSecond: z.number(),
      /** Length of its fragments (s), of which a broadcast is sent. */
      partSeconds: z.number(),
      initBytes: z.number(),
      segmentBytes: z.array(z.number()),
    })
    .optional(),
});
export type Asset = z.infer<typeof assetSchema>;

/** What to make: a ladder, cut into chunks, of one source. */
export interface AssetRequest {
  readonly ladder: Ladder;
  readonly chunkSeconds: number;
  /** Length of the media (s), a multiple of the GOP. */
  readonly mediaSeconds: number;
  /** Length that is encoded (s): the media, or less, a multiple of the chunk length that the media repeat to their end. */
  readonly filmSeconds: number;
  readonly source: VideoSource;
  /** A manifest is written for each of these play lengths (s), none longer than the media. */
  readonly playSeconds: readonly number[];
}

export const assetFile = 'asset.json';
export const initFile = 'init.mp4';

/** Segments are numbered from 1. */
export function segmentFile(number: number): string {
  return `${String(number).padStart(5, '0')}.m4s`;
}

/** The asset in `directory` when it is there with every file of the right size; else undefined. */
export async function readWholeAsset(directory: string): Promise<Asset | undefined> {
  const text = readKept(join(directory, assetFile), 'the list of an encoded video');
  if (text === null) return undefined;
  const parsed = assetSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const sizes = await Promise.all(
    expectedSizes(parsed.data).map(async ([file, bytes]) => (await sizeOf(join(directory, file))) === bytes),
  );
  return sizes.every(Boolean) ? parsed.data : undefined;
}

/** The sound of an asset as a list, which is empty for pictures alone. */
export function soundOf({ sound }: Pick<Asset, 'sound'>): readonly NonNullable<Asset['sound']>[] {
  return sound === undefined ? [] : [sound];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function expectedSizes(asset: Asset): [file: string, bytes: number][] {
  return [
    ...asset.manifests.map((manifest): [string, number] => [manifest.file, manifest.bytes]),
    ...[...asset.tracks, ...soundOf(asset)].flatMap((track): [string, number][] => [
      [join(track.representation, initFile), track.initBytes],
      ...track.segmentBytes.map((bytes, index): [string, number] => [
        join(track.representation, segmentFile(index + 1)),
        bytes,
      ]),
    ]),
  ];
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return undefined;
    throw thrown;
  }
}
