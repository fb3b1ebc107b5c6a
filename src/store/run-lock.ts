import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error, hasErrno } from '../model/errors.ts';
import { livingProcess, processIdentity } from '../system/processes/process-identity.ts';
import { storageError } from '../system/storage-error.ts';

const lockFile = 'run.lock';

/** The living process that wrote this lock, or null. */
function holderOf(file: string): number | null {
  return livingProcess(readFileSync(file, 'utf8'));
}

/** Whether a living process is measuring in this run directory. */
export function isRunning(path: string): boolean {
  try {
    return holderOf(join(path, lockFile)) !== null;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return false;
    throw thrown;
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
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, processIdentity(pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (thrown) {
      if (!hasErrno(thrown, 'EEXIST')) throw storageError(thrown, file);
      const holder = holderOf(file);
      if (holder !== null && holder !== pid) {
        throw new H2h3Error('usage', `process ${holder} is already running in ${path}`, {
          next: 'Wait for it, or stop it with Ctrl-C and continue with `h2h3 run --resume`.',
        });
      }
      rmSync(file, { force: true });
    }
  }
  throw new H2h3Error('usage', `cannot lock ${path}`);
}
