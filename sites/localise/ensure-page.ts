import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../src/core/system/storage-error.ts';
import { makeScratch } from '../../src/core/system/temporary-folder.ts';
import { renameUnlessThere } from '../packages/fetch-package.ts';
import { shortHash } from './write-roots.ts';

/** A folder below `parent` with these files, by their names; it is there whole or not at all, and is made once. */
export async function ensurePage(parent: string, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(parent, `page-${shortHash(files)}`);
  if (existsSync(directory)) return directory;
  makeFolder(parent);
  const scratch = makeScratch(join(parent, '.making-'));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(scratch, name), content);
    await renameUnlessThere(scratch, directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return directory;
}
