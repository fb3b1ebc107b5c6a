import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error, hasErrno } from '../model/errors.ts';
import { livingProcess, processIdentity } from '../system/processes/process-identity.ts';
import { storageError } from '../system/storage-error.ts';

export const lockFile = 'run.lock';

/** What the lock says; null where there is none. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return null;
    if (hasErrno(thrown, 'EISDIR')) return 'a folder, so no lock of a process';
    throw thrown;
  }
}

/** Whether a living process is measuring in this run directory. */
export function isRunning(path: string): boolean {
  const content = contentOf(join(path, lockFile));
  return content !== null && livingProcess(content) !== null;
}

/** What this process would write, or has written. */
const identityForm = /^(\d+( \d+)?)?\s*$/;

/**
 * Removes the lock of a process that is gone. Of several that try, one gets it: whoever finds in what it moved away the
 * lock of a living process was late and puts it back.
 */
function removeAbandoned(file: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return;
    throw thrown;
  }
  const identity = readFileSync(aside, 'utf8');
  if (!identityForm.test(identity) || livingProcess(identity) !== null) linkSync(aside, file);
  rmSync(aside);
}

/** Makes the lock with its content at once, so that nobody ever reads a lock without its holder. */
function tryLock(file: string, identity: string): boolean {
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, identity, { flag: 'wx' });
    linkSync(fresh, file);
    return true;
  } catch (thrown) {
    if (hasErrno(thrown, 'EEXIST')) return false;
    throw storageError(thrown, file);
  } finally {
    rmSync(fresh, { force: true });
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
    const content = contentOf(file);
    if (content === null) continue;
    if (!identityForm.test(content))
      throw new H2h3Error('usage', `${file} is not a lock of h2h3`, {
        next: 'Choose another folder, or remove that file.',
      });
    const holder = livingProcess(content);
    if (holder !== null && holder !== pid) {
      throw new H2h3Error('usage', `process ${holder} is already running in ${path}`, {
        next: 'Wait for it, or stop it with Ctrl-C and continue with `h2h3 run --resume`.',
      });
    }
    if (holder === pid) rmSync(file, { force: true });
    else removeAbandoned(file);
  }
  throw new H2h3Error('usage', `another process was faster to take ${path}`);
}
