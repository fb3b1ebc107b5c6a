import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { H2h3Error, hasErrno, messageOf } from '../model/errors.ts';

/** No document of ours is near it; what is larger is not one, or was made to fill the memory. */
export const largestInputBytes = 256 * 1024 * 1024;

export interface InputOptions {
  /** What the file should be, such as `a plan file`, for the error. Default: `an input`. */
  readonly what?: string;
  /** Default: `largestInputBytes`. */
  readonly limitBytes?: number;
  /**
   * Whether a symbolic link is followed. Default: yes, as for any file that the user names. Files of a run folder are never
   * links; one in the folder of somebody else leads to what is not theirs.
   */
  readonly followLink?: boolean;
  /** What to do where it cannot be read. */
  readonly next?: string;
}

function reasonOf(thrown: unknown): string {
  if (hasErrno(thrown, 'ENOENT')) return 'it does not exist';
  if (hasErrno(thrown, 'EACCES')) return 'no permission to read it';
  return messageOf(thrown);
}

/**
 * Reads a whole file that a user or another program made.
 *
 * @throws H2h3Error `bad-input` where there is none, it is no regular file, or it is larger than the limit
 */
export function readInput(file: string, options: InputOptions = {}): Buffer {
  const { what = 'an input', limitBytes = largestInputBytes, followLink = true, next } = options;
  const refuse = (reason: string, cause?: unknown): H2h3Error =>
    new H2h3Error('bad-input', `${file} cannot be read as ${what}: ${reason}`, {
      context: { file },
      ...(next === undefined ? {} : { next }),
      cause,
    });
  try {
    const stats = followLink ? statSync(file) : lstatSync(file);
    if (stats.isSymbolicLink()) throw refuse('it is a symbolic link, which no run makes');
    // A named pipe without a writer would be waited for without end.
    if (!stats.isFile()) throw refuse(stats.isDirectory() ? 'it is a folder' : 'it is no regular file');
    if (stats.size > limitBytes)
      throw refuse(`it has ${stats.size} bytes, more than ${limitBytes} is not taken`);
    return readFileSync(file);
  } catch (thrown) {
    throw thrown instanceof H2h3Error ? thrown : refuse(reasonOf(thrown), thrown);
  }
}

/**
 * Opens a file for reading without waiting: a named pipe without a writer would otherwise hold the whole process, which
 * then hears no signal either. Null where it is no regular file, or a symbolic link.
 */
export function openRegularFile(file: string): number | null {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (thrown) {
    if (hasErrno(thrown, 'ELOOP')) return null;
    throw thrown;
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return null;
}
