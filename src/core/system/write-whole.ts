import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { livingProcess, processIdentity } from './processes/process-identity.ts';
import { dirname, resolve } from 'node:path';
import { H2h3Error, hasErrno, messageOf } from '../model/errors.ts';
import { makeFolder, storageError } from './storage-error.ts';

/** What `partialOf` makes of a name: the number of the process, the time of its start where known, and chance. */
const partialForm = /\.(?<pid>\d+)(?:-(?<start>\d+))?\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial$/;

/** The name of what is on its way to become `file`; it cannot be foreseen. */
export const partialOf = (file: string): string =>
  `${file}.${processIdentity(process.pid).replace(' ', '-')}.${randomUUID()}.partial`;

/**
 * Writes a whole file or nothing. What it writes first has a name that cannot be foreseen and must be new, so neither a
 * file nor a symbolic link that lies there already is written to. @throws H2h3Error `storage`
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  replaceBy(file, (partial) => writeFileSync(partial, content, { flag: 'wx' }));
}

/** So much of it is gathered before it is written, characters. */
const partLength = 1 << 20;

/** `writeWhole` of what comes in parts, of which memory holds a few at a time. @throws H2h3Error `storage` */
export function writeWholeParts(file: string, parts: Iterable<string>): void {
  replaceBy(file, (partial) => {
    const descriptor = openSync(partial, 'wx');
    try {
      let text = '';
      for (const part of parts) {
        text += part;
        if (text.length < partLength) continue;
        writeFileSync(descriptor, text);
        text = '';
      }
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  });
}

/**
 * Whether `writeWhole` will be able to write this file, found out before minutes of work are done for it. Makes the folders
 * above it.
 *
 * @param option that names the file, for the error
 * @throws H2h3Error `usage`
 */
export function requireWritable(file: string, option: string): void {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new Error('it is a folder');
    // A file takes the place of whatever has the name: of a device, for an administrator.
    if (stats !== undefined && !stats.isFile()) throw new Error('it is no plain file');
    makeFolder(dirname(file));
    requireRoomFor(file);
  } catch (thrown) {
    throw new H2h3Error('usage', `${option} ${file}: ${messageOf(storageError(thrown, file))}`, {
      next: 'Name a file in a folder that you can write to.',
      cause: thrown,
    });
  }
}

/** Whether a file or a folder can be made that has this path. Leaves nothing of itself. @throws H2h3Error `storage` */
export function requireRoomFor(path: string): void {
  const parent = dirname(resolve(path));
  const made = makeFolder(parent);
  const probe = partialOf(path);
  try {
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } catch (thrown) {
    throw storageError(thrown, path);
  } finally {
    if (made !== undefined) removeEmpty(parent, made);
  }
}

/** Removes a folder and those above it up to `last`, as far as nobody has put anything into them. */
function removeEmpty(folder: string, last: string): void {
  for (let at = folder; at.startsWith(last); at = dirname(at))
    try {
      rmdirSync(at);
    } catch (thrown) {
      if (hasErrno(thrown, 'ENOTEMPTY') || hasErrno(thrown, 'EEXIST')) return;
      throw thrown;
    }
}

function replaceBy(file: string, write: (partial: string) => void): void {
  const partial = partialOf(file);
  try {
    write(partial);
    renameSync(partial, file);
  } catch (thrown) {
    rmSync(partial, { force: true });
    throw storageError(thrown, file);
  }
}

/** Whether this is a name by `partialOf` that `writeWhole` or another left in a process that was killed; a living one may still need its own. */
export function isAbandonedPartial(name: string): boolean {
  const { pid, start = '' } = partialForm.exec(name)?.groups ?? {};
  return pid !== undefined && livingProcess(`${pid} ${start}`.trim()) === null;
}
