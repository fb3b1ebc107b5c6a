import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error } from '../core/model/errors.ts';
import { lockHolder, makeLock, removeAbandonedLock, requireIsLock } from '../core/system/lock-file.ts';
import { processIdentity } from '../core/system/processes/process-identity.ts';
import { storageError } from '../core/system/storage-error.ts';

export const lockFile = 'run.lock';

/** Whether a living process is measuring in this run directory. */
export function isRunning(path: string): boolean {
  return (lockHolder(join(path, lockFile))?.pid ?? null) !== null;
}

function tryLock(file: string, identity: string): boolean {
  try {
    return makeLock(file, identity);
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}

/** Locks that this process holds, by file: one that names it and is none of these is of an earlier process of its number. */
const held = new Set<string>();
/** More than enough for the processes that remove one abandoned lock to be done; each try takes well under 1 ms. */
const maxTries = 200;

/** Which file it is, by whatever path it is reached; null where there is none. */
function fileIdentity(file: string): string | null {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

/** Release of the lock that was just taken. */
function hold(file: string): () => void {
  const own = fileIdentity(file);
  if (own !== null) held.add(own);
  return () => {
    if (own === null || !held.delete(own)) return;
    // A process that took the folder away and made it anew made another run's lock.
    if (fileIdentity(file) === own) rmSync(file, { force: true });
  };
}

const usualNext = 'Wait for it, or stop it with Ctrl-C and continue with `npx h2h3 run --resume`.';

/**
 * Takes the run directory for this process, so that two runs never write one journal. A lock whose process
 * is gone (killed) is taken over. Returns the release.
 *
 * @param next what to do where another process has it
 * @throws H2h3Error `usage` when a living process holds it, this one included.
 */
export function lockRunDirectory(path: string, pid: number, next = usualNext): () => void {
  const file = join(path, lockFile);
  const identity = processIdentity(pid);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    if (tryLock(file, identity)) return hold(file);
    const holder = lockHolder(file);
    if (holder === null) continue;
    requireIsLock(file);
    if (holder.pid === pid && !held.has(fileIdentity(file) ?? '')) rmSync(file, { force: true });
    else if (holder.pid !== null) {
      throw new H2h3Error('usage', `process ${holder.pid} is already running in ${path}`, { next });
    } else removeAbandonedLock(file, identity);
  }
  throw new H2h3Error('usage', `another process was faster to take ${path}`);
}
