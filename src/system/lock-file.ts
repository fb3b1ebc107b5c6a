import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hasErrno } from '../model/errors.ts';
import { livingProcess } from './processes/process-identity.ts';
import { openRegularFile } from './read-input.ts';

/** What `processIdentity` gives, or nothing, which only a killed process can have left. */
const identityForm = /^(\d+( \d+)?)?\s*$/;
const removingSuffix = '.removing';
/** What stands behind a lock's name in the files that its takers and removers write for a moment. */
const attemptForm = /^(?:\.removing|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})+$/;

export interface LockHolder {
  /** The living process that holds it; null: it is gone. */
  readonly pid: number | null;
  /** Whether the file is a lock of h2h3 at all. */
  readonly isLock: boolean;
}

/** Makes the lock with its holder in it at once, so that no lock is ever found without one; false where there is one. */
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

/** Null where it is a folder, a named pipe or another thing that no lock is. */
function readRegular(file: string): string | null {
  const descriptor = openRegularFile(file);
  if (descriptor === null) return null;
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Who holds the lock; null where there is none. */
export function lockHolder(file: string): LockHolder | null {
  try {
    const content = readRegular(file);
    if (content === null) return { pid: null, isLock: false };
    return { pid: livingProcess(content), isLock: identityForm.test(content) };
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return null;
    throw thrown;
  }
}

/**
 * Removes the lock of a process that is gone. Of several that try, one at a time looks and removes, under a lock of
 * its own: so no process removes the lock of a faster one. Left by a process that was killed just here, that one is
 * removed in the same way, because two that remove it by themselves could remove each other's.
 */
export function removeAbandonedLock(file: string, identity: string): void {
  const removing = `${file}${removingSuffix}`;
  if (!makeLock(removing, identity)) {
    if (isAbandoned(removing)) removeAbandonedLock(removing, identity);
    return;
  }
  try {
    if (isAbandoned(file)) rmSync(file, { force: true });
  } finally {
    rmSync(removing, { force: true });
  }
}

/** Whether it is a lock, and of a process that is gone. */
export function isAbandoned(file: string): boolean {
  const holder = lockHolder(file);
  return holder !== null && holder.isLock && holder.pid === null;
}

/** Whether `name` is what taking or removing the lock `lockName` writes beside it. */
export function isLockAttempt(name: string, lockName: string): boolean {
  return name.startsWith(lockName) && attemptForm.test(name.slice(lockName.length));
}
