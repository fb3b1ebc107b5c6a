import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { H2h3Error, hasErrno, unwritableReason } from '../model/errors.ts';

/** Turns a full disk or a missing permission into an error that says so. */
export function storageError(thrown: unknown, file: string): unknown {
  const known: Readonly<Record<string, string>> = {
    EACCES: 'no permission to write there',
    EPERM: 'no permission to write there',
    ENOTDIR: 'a file is in the way',
    EEXIST: 'a file is in the way',
    ELOOP: 'a symbolic link is in the way',
    ENAMETOOLONG: 'the name is too long',
    // What making a folder says on a file system that is read-only.
    ENOENT: 'the folder is gone or cannot be made',
  };
  const reason =
    unwritableReason(thrown) ?? Object.entries(known).find(([code]) => hasErrno(thrown, code))?.[1];
  if (reason === undefined) return thrown;
  return new H2h3Error('storage', `cannot write ${file}: ${reason}`, {
    cause: thrown,
    context: { file },
  });
}

/**
 * Makes a folder and those above it; returns the outermost that was not there yet. Node's own way never ends where the
 * system says of a folder that cannot be made that the one above it is not there, as in /proc.
 *
 * @throws H2h3Error `storage`
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  try {
    for (let at = resolve(path); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
      missing.unshift(at);
    if (missing.length === 0) makeOne(path);
    missing.forEach(makeOne);
    return missing[0];
  } catch (thrown) {
    throw storageError(thrown, path);
  }
}

/** Another process may make it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (thrown) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw thrown;
  }
}
