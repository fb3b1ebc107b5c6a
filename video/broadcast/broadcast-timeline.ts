import type { Asset } from '../encoder/asset.ts';
import { manifestDocument } from '../encoder/manifest.ts';
import { usualPartSeconds } from '../page/broadcast.ts';

export interface BroadcastRequest {
  readonly startEpochMs: number;
  /** Length of the broadcast (s), at most that of the asset. */
  readonly seconds: number;
  readonly asset: string;
  /** `live.mpd`, or a representation and a file of it. */
  readonly file: string;
}

/** What a request for a live broadcast (see `broadcastPath`) asks for; undefined for any other path. */
export function parseBroadcastPath(path: string): BroadcastRequest | undefined {
  const words = /^\/live\/(\d{1,15})\/(\d{1,5})\/([\w@-]+)\/([\w.-]+(?:\/[\w.-]+)?)$/.exec(path);
  const [, start, seconds, asset, file] = words ?? [];
  if (asset === undefined || file === undefined || file.includes('..')) return undefined;
  return { startEpochMs: Number(start), seconds: Number(seconds), asset, file };
}

type Timing = Pick<Asset, 'chunkSeconds' | 'partSeconds'>;

/** When part `part` (from 0) of segment `number` (from 1) has been made. */
export function partAvailableAtMs(
  startEpochMs: number,
  { chunkSeconds, partSeconds = usualPartSeconds }: Timing,
  number: number,
  part: number,
): number {
  return startEpochMs + ((number - 1) * chunkSeconds + (part + 1) * partSeconds) * 1000;
}

/**
 * The manifest of a broadcast of the first `seconds` of an asset (ISO/IEC 23009-1, 5.3.9.5.3 and 5.3.1.2: `availabilityTimeOffset` and
 * `availabilityTimeComplete` say that a segment can be asked for before it is complete).
 */
export function broadcastManifest(
  asset: Asset,
  { startEpochMs, seconds }: Pick<BroadcastRequest, 'startEpochMs' | 'seconds'>,
): string {
  const began = new Date(startEpochMs).toISOString();
  const { chunkSeconds, partSeconds = usualPartSeconds } = asset;
  return manifestDocument(asset, {
    presentation:
      `type="dynamic" availabilityStartTime="${began}" publishTime="${began}" ` +
      `timeShiftBufferDepth="PT${seconds}S" mediaPresentationDuration="PT${seconds}S" ` +
      `maxSegmentDuration="PT${chunkSeconds}S" minBufferTime="PT${partSeconds}S"`,
    adaptationSet: '',
    availability: [
      `availabilityTimeOffset="${chunkSeconds - partSeconds}"`,
      'availabilityTimeComplete="false"',
    ],
  });
}
