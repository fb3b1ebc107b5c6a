import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrepareContext } from '../src/core/model/workload.ts';
import { makeAtomically, videoFolders } from './encoder/content-cache.ts';

/** Large enough to fill a path, small enough that the last one does not long outlast the session. */
const crossTrafficBytes = 8_000_000;
export const crossTrafficFile = `cross-${crossTrafficBytes}.bin`;

/** Puts the file that downloads next to a session fetch among the media: zeros that take no room on disk. @throws H2h3Error `storage` */
export async function prepareCrossTraffic(context: PrepareContext): Promise<void> {
  const folders = videoFolders(context.cacheDir);
  await makeAtomically(folders, join(folders.media, crossTrafficFile), async (partial) => {
    await writeFile(partial, '');
    await truncate(partial, crossTrafficBytes);
  });
}
