import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrno } from '../src/core/model/errors.ts';
import { makeFolder } from '../src/core/system/storage-error.ts';
import { makeScratch } from '../src/core/system/temporary-folder.ts';

/**
 * Makes a file or a folder that is there whole or not at all.
 *
 * @param make makes it in an empty folder and returns its place there, which may be that folder itself
 */
export async function makeWhole(target: string, make: (scratch: string) => Promise<string>): Promise<void> {
  const parent = dirname(target);
  makeFolder(parent);
  const scratch = makeScratch(join(parent, '.making-'));
  try {
    await renameUnlessThere(await make(scratch), target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Another process that was faster wins, its content is the same. */
async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (cause) {
    if (!hasErrno(cause, 'ENOTEMPTY') && !hasErrno(cause, 'EEXIST')) throw cause;
  }
}
