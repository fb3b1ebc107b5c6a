import { readdirSync, rmSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, isLockAttempt } from '../system/lock-file.ts';
import { storageError } from '../system/storage-error.ts';
import { isAbandonedPartial } from '../system/write-whole.ts';
import { lockFile } from './run-lock.ts';

/** Whether a killed process left this entry of a folder half done; whatever a living one may still need is none. */
export function isLeftover(folder: string, entry: Dirent): boolean {
  if (!entry.isFile()) return false;
  return (
    isAbandonedPartial(entry.name) ||
    (isLockAttempt(entry.name, lockFile) && isAbandoned(join(folder, entry.name)))
  );
}

/** Removes from a folder what killed processes had begun to write there. @throws H2h3Error `storage` */
export function sweepLeftovers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!isLeftover(folder, entry)) continue;
    const file = join(folder, entry.name);
    try {
      rmSync(file, { force: true });
    } catch (thrown) {
      throw storageError(thrown, file);
    }
  }
}
