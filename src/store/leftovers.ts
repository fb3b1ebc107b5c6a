import { readdirSync, rmSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, isLockAttempt, removeAbandonedLock } from '../core/system/lock-file.ts';
import { processIdentity } from '../core/system/processes/process-identity.ts';
import { storageError } from '../core/system/storage-error.ts';
import { isAbandonedPartial } from '../core/system/write-whole.ts';
import { lockFile } from './run-lock.ts';

/** Whether a killed process left this entry of a folder half done; whatever a living one may still need is none. */
export function isLeftover(folder: string, entry: Dirent): boolean {
  if (!entry.isFile()) return false;
  return isAbandonedPartial(entry.name) || isAbandonedAttempt(folder, entry.name);
}

function isAbandonedAttempt(folder: string, name: string): boolean {
  return isLockAttempt(name, lockFile) && isAbandoned(join(folder, name));
}

/**
 * Removes from a folder what killed processes had begun to write there.
 *
 * @throws H2h3Error `storage`
 */
export function sweepLeftovers(folder: string): void {
  const identity = processIdentity(process.pid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(folder, entry.name);
    try {
      if (isAbandonedPartial(entry.name)) rmSync(file, { force: true });
      // Others may be looking at it just now.
      else if (isAbandonedAttempt(folder, entry.name)) removeAbandonedLock(file, identity);
    } catch (thrown) {
      throw storageError(thrown, file);
    }
  }
}
