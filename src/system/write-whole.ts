import { renameSync, writeFileSync } from 'node:fs';
import { storageError } from './storage-error.ts';

/** Writes a whole file or nothing. @throws H2h3Error `storage` */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const partial = `${file}.partial`;
  try {
    writeFileSync(partial, content);
    renameSync(partial, file);
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}
