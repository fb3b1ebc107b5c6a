import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error } from '../model/errors.ts';
import { lockHolder, makeLock, removeAbandonedLock } from '../system/lock-file.ts';
import { processIdentity } from '../system/processes/process-identity.ts';
import { storageError } from '../system/storage-error.ts';

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

/**
 * Takes the run directory for this process, so that two runs never write one journal. A lock whose process
 * is gone (killed) is taken over. Returns the release.
 *
 * @throws H2h3Error `usage` when a living process holds it.
 */
export function lockRunDirectory(path: string, pid: number): () => void {
  const file = join(path, lockFile);
  const identity = processIdentity(pid);
  for (let attempt = 0; attempt < 2; attempt++) {
    if (tryLock(file, identity)) return () => rmSync(file, { force: true });
    const holder = lockHolder(file);
    if (holder === null) continue;
    if (!holder.isLock)
      throw new H2h3Error('usage', `${file} is not a lock of h2h3`, {
        next: 'Choose another folder, or remove that file.',
      });
    if (holder.pid !== null && holder.pid !== pid) {
      throw new H2h3Error('usage', `process ${holder.pid} is already running in ${path}`, {
        next: 'Wait for it, or stop it with Ctrl-C and continue with `h2h3 run --resume`.',
      });
    }
    if (holder.pid === pid) rmSync(file, { force: true });
    else removeAbandonedLock(file, identity);
  }
  throw new H2h3Error('usage', `another process was faster to take ${path}`);
}
