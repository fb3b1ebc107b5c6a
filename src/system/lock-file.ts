import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hasErrno } from '../model/errors.ts';
import { livingProcess } from './processes/process-identity.ts';

/** What `processIdentity` gives, or nothing, which only a killed process of an older version can have left. */
const identityForm = /^(\d+( \d+)?)?\s*$/;

export interface LockHolder {
  /** The living process that holds it; null: it is gone. */
  readonly pid: number | null;
  /** Whether the file is a lock of h2h3 at all. */
  readonly isLock: boolean;
}

/** Makes the lock with its holder in it at once, so that nobody ever finds a lock without one; false where there is one. */
export function makeLock(file: string, identity: string): boolean {
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, identity, { flag: 'wx' });
    linkSync(fresh, file);
    return true;
  } catch (thrown) {
    if (hasErrno(thrown, 'EEXIST')) return false;
    throw thrown;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function holderIn(content: string): LockHolder {
  return { pid: livingProcess(content), isLock: identityForm.test(content) };
}

/** Who holds the lock; null where there is none. */
export function lockHolder(file: string): LockHolder | null {
  try {
    return holderIn(readFileSync(file, 'utf8'));
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return null;
    if (hasErrno(thrown, 'EISDIR')) return { pid: null, isLock: false };
    throw thrown;
  }
}

/**
 * Removes the lock of a process that is gone. Of several that try, one gets it: whoever finds in what it moved away the
 * lock of a living process was late and puts it back.
 */
export function removeAbandonedLock(file: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return;
    throw thrown;
  }
  const { pid, isLock } = holderIn(readFileSync(aside, 'utf8'));
  if (!isLock || pid !== null) linkSync(aside, file);
  rmSync(aside);
}
