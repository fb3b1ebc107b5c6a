import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { storageError } from './storage-error.ts';

/**
 * Writes a whole file or nothing. What it writes first has a name that nobody can foresee and must be new, so neither a
 * file nor a symbolic link that lies there already is written to. @throws H2h3Error `storage`
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    writeFileSync(partial, content, { flag: 'wx' });
    renameSync(partial, file);
  } catch (thrown) {
    rmSync(partial, { force: true });
    throw storageError(thrown, file);
  }
}
