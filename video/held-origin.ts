import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrno } from '../src/core/model/errors.ts';
import { readHeldPath } from '../src/core/model/fault.ts';
import { createMediaOrigin, mediaHeaders, notFound } from './media-origin.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.mpd': 'application/dash+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
};

/** Serves the media below `mediaDir`. Chunks whose addresses say so are answered later (`heldFolder`); it keeps nothing between requests. */
export function createHeldOrigin(mediaDir: string): Server {
  return createMediaOrigin((pathname, response) => answer(pathname, response, mediaDir));
}

async function answer(pathname: string, response: ServerResponse, mediaDir: string): Promise<void> {
  const { path, held } = readHeldPath(decodeURIComponent(pathname));
  // From the root on, so that no path leads out of the folder.
  const file = join(mediaDir, normalize(path));
  const size = await sizeOf(file);
  if (size === null) return notFound(response, 'There is no such file.');
  const number = Number(/\/(\d{5})\.m4s$/.exec(path)?.[1] ?? Number.NaN);
  if (held !== null && number % held.every === 0) await sleep(held.delayMs);
  response.writeHead(200, {
    ...mediaHeaders,
    'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
    'content-length': size,
  });
  await pipeline(createReadStream(file), response);
}

/** Bytes of a file; null where there is none. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : null;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'ENOTDIR')) return null;
    throw thrown;
  }
}
