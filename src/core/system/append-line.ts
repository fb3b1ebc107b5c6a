import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { H2h3Error } from '../model/errors.ts';
import { storageError } from './storage-error.ts';

/** A symbolic link in the place of the file leads to a file that is none of ours. */
const appendOwn = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;

function endsWithinLine(descriptor: number): boolean {
  const size = fstatSync(descriptor).size;
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}

/**
 * Appends one line and syncs it to the disk. A line cut short by a crash is ended first, so that it damages no other;
 * symbolic links are not followed.
 *
 * @throws H2h3Error `storage` when the disk is full, a link is in the way, or it may not be written.
 */
export function appendLine(file: string, line: string): void {
  try {
    const descriptor = openSync(file, appendOwn);
    try {
      // A named pipe takes what fits into it, then waits for a reader.
      if (fstatSync(descriptor).isFIFO())
        throw new H2h3Error('storage', `cannot write ${file}: it is a named pipe`);
      const start = endsWithinLine(descriptor) ? '\n' : '';
      const bytes = Buffer.from(`${start}${line}\n`);
      let written = 0;
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}
