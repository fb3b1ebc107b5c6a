import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { H2h3Error, foundOr, hasErrno } from '../model/errors.ts';
import { livingProcess } from './processes/process-identity.ts';
import { readSmallFile } from './read-input.ts';

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

/** Who holds the lock; null where there is none. */
export function lockHolder(file: string): LockHolder | null {
  const content = foundOr(() => readSmallFile(file), undefined);
  if (content === undefined) return null;
  // A folder, a named pipe or another thing that no lock is.
  if (content === null) return { pid: null, isLock: false };
  return { pid: livingProcess(content), isLock: identityForm.test(content) };
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

/** @throws H2h3Error `usage` where something that is no lock has the lock's place: it would be waited for without end */
export function requireIsLock(file: string): void {
  if (lockHolder(file)?.isLock !== false) return;
  throw new H2h3Error('usage', `${file} is not a lock of h2h3`, {
    next: 'Choose another folder, or remove that file.',
  });
}

/** Whether `name` is what taking or removing the lock `lockName` writes next to it. */
export function isLockAttempt(name: string, lockName: string): boolean {
  return name.startsWith(lockName) && attemptForm.test(name.slice(lockName.length));
}
