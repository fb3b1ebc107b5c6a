import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMediaOrigin, mediaHeaders, notFound } from '../media-origin.ts';
import { initFile, readWholeAsset, soundOf } from '../encoder/asset.ts';
import type { Asset } from '../encoder/asset.ts';
import { broadcastManifest, parseBroadcastPath, partAvailableAtMs } from './broadcast-timeline.ts';
import { segmentParts } from './segment-parts.ts';
import type { SegmentPart } from './segment-parts.ts';

/** A player asks at the moment at which a part is due, by its own clock; further ahead there is nothing to wait for. */
const earliestMs = 2000;
const noPart = 'There is no such part of the broadcast yet, or never.';
const zeros = Buffer.alloc(65_536);

/**
 * Broadcasts the assets below `mediaDir`: each part of a segment is sent when the clock says that it has been made, over a
 * chunked response that stays open meanwhile. It keeps nothing between requests: when a broadcast began is in its address.
 *
 * @param now the clock of players, epoch ms
 */
export function createBroadcastOrigin(mediaDir: string, now: () => number = Date.now): Server {
  const assets = new Map<string, Promise<Asset | undefined>>();
  const assetOf = (name: string): Promise<Asset | undefined> => {
    const known = assets.get(name) ?? readWholeAsset(join(mediaDir, name));
    assets.set(name, known);
    return known;
  };
  return createMediaOrigin((pathname, response) => answer(pathname, response, { mediaDir, assetOf, now }));
}

interface Broadcast {
  readonly mediaDir: string;
  readonly assetOf: (name: string) => Promise<Asset | undefined>;
  readonly now: () => number;
}

async function answer(
  pathname: string,
  response: ServerResponse,
  { mediaDir, assetOf, now }: Broadcast,
): Promise<void> {
  const wanted = parseBroadcastPath(pathname);
  const asset = wanted === undefined ? undefined : await assetOf(wanted.asset);
  if (wanted === undefined || asset === undefined) return notFound(response, noPart);
  const { startEpochMs, file } = wanted;
  const directory = join(mediaDir, wanted.asset);
  if (file === 'live.mpd') {
    response.writeHead(200, { ...mediaHeaders, 'content-type': 'application/dash+xml' });
    response.end(broadcastManifest(asset, wanted));
    return;
  }
  const [representation = '', name = ''] = file.split('/');
  const track = [...asset.tracks, ...soundOf(asset)].find((track) => track.representation === representation);
  if (track !== undefined && name === initFile) {
    const bytes = await readFile(join(directory, representation, name));
    response.writeHead(200, { ...mediaHeaders, 'content-type': 'video/mp4', 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const number = Number(/^(\d{5})\.m4s$/.exec(name)?.[1] ?? Number.NaN);
  const exists = track !== undefined && number >= 1 && number <= track.segmentBytes.length;
  const timing =
    track === asset.sound && asset.sound !== undefined
      ? { ...asset, partSeconds: asset.sound.partSeconds }
      : asset;
  const due = partAvailableAtMs(startEpochMs, timing, number, 0);
  if (!exists || due - now() > earliestMs) return notFound(response, noPart);
  response.writeHead(200, { ...mediaHeaders, 'content-type': 'video/iso.segment' });
  const path = join(directory, representation, name);
  const parts = await segmentParts(path);
  const dueAt = (part: number): number => partAvailableAtMs(startEpochMs, timing, number, part);
  const waitMs = (part: number): number => Math.max(0, dueAt(part) - now());
  await pipeline(Readable.from(bytesOf(path, parts, waitMs)), response);
}

async function* bytesOf(
  path: string,
  parts: readonly SegmentPart[],
  waitMs: (part: number) => number,
): AsyncGenerator<Buffer> {
  for (const [index, { offset, mediaBytes, paddingBytes }] of parts.entries()) {
    await sleep(waitMs(index));
    yield* createReadStream(path, { start: offset, end: offset + mediaBytes - 1 }) as AsyncIterable<Buffer>;
    if (paddingBytes > 0) yield* freeBox(paddingBytes);
  }
}

function* freeBox(bytes: number): Generator<Buffer> {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(bytes, 0);
  header.write('free', 4, 'latin1');
  yield header;
  for (let left = bytes - header.length; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
}
