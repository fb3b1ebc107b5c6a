import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { H2h3Error, hasErrno, messageOf } from '../model/errors.ts';

/** No document of ours is near it; what is larger is not one, or was made to fill the memory. */
export const largestInputBytes = 256 * 1024 * 1024;
/** Of a lock, a mark or a note: each has a line or two. */
const largestSmallBytes = 4096;

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

/** A file that is not read, with the reason in words. */
class Refusal extends Error {}

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
  try {
    return readWhole(file, followLink, limitBytes);
  } catch (thrown) {
    throw unreadable(file, what, thrown, next);
  }
}

function unreadable(file: string, what: string, thrown: unknown, next?: string): H2h3Error {
  return new H2h3Error('bad-input', `${file} cannot be read as ${what}: ${reasonOf(thrown)}`, {
    context: { file },
    ...(next === undefined ? {} : { next }),
    cause: thrown,
  });
}

/** No line of ours is near it; a longer one would fill the memory. */
const maxLineCharacters = 1024 * 1024;

/**
 * The lines of a text that a user or another program made, without their ends, however long it is.
 *
 * @throws H2h3Error `bad-input` where there is none, it is no regular file, or a line is longer than that
 */
export function* readLines(
  file: string,
  { what = 'an input' }: Pick<InputOptions, 'what'> = {},
): Generator<string> {
  let descriptor: number | undefined;
  try {
    descriptor = openOrRefuse(file, true);
    yield* linesOf(descriptor);
  } catch (thrown) {
    throw thrown instanceof H2h3Error ? thrown : unreadable(file, what, thrown);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function* linesOf(descriptor: number): Generator<string> {
  const decoder = new StringDecoder('utf8');
  const part = Buffer.allocUnsafe(partBytes);
  let begun = '';
  for (let got = readSync(descriptor, part); got > 0; got = readSync(descriptor, part)) {
    const lines = (begun + decoder.write(part.subarray(0, got))).split('\n');
    begun = lines.pop() ?? '';
    if (begun.length > maxLineCharacters)
      throw tooLong(`a line of ${begun.length} characters`, maxLineCharacters);
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (begun !== '') yield begun.replace(/\r$/, '');
}

/**
 * The text of a small file in a place that others can write to: a lock, a mark, a note. Null where it is a symbolic link,
 * a folder, a named pipe, a device, or larger than any such file.
 *
 * @throws what the system says where there is none, or it may not be read
 */
export function readSmallFile(file: string): string | null {
  return unlessRefused(() => readWhole(file, false, largestSmallBytes).toString('utf8'));
}

/** The text of a file that a cache has; null where it has none. @throws H2h3Error `bad-input` as `readInput` */
export function readKept(file: string, what: string): string | null {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  return readInput(file, { what, followLink: false }).toString('utf8');
}

/**
 * Opens a file for reading without waiting: a named pipe without a writer would otherwise hold the whole process, which
 * then hears no signal either. Null where it is no regular file, or a symbolic link.
 */
export function openRegularFile(file: string): number | null {
  return unlessRefused(() => openOrRefuse(file, false));
}

function unlessRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}

function requireRegular(stats: Stats): void {
  if (stats.isSymbolicLink()) throw new Refusal('it is a symbolic link, which no run makes');
  if (stats.isDirectory()) throw new Refusal('it is a folder');
  if (!stats.isFile()) throw new Refusal('it is no regular file');
}

function openOrRefuse(file: string, followLink: boolean): number {
  // Before it is opened: that alone wakes the writer of a pipe, and does things to some devices.
  requireRegular(followLink ? statSync(file) : lstatSync(file));
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | (followLink ? 0 : O_NOFOLLOW));
  try {
    // Another may have taken its place between the two looks.
    requireRegular(fstatSync(descriptor));
    return descriptor;
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

/** All of a file, however it grows meanwhile. */
function readWhole(file: string, followLink: boolean, limitBytes: number): Buffer {
  const descriptor = openOrRefuse(file, followLink);
  try {
    return readAll(descriptor, limitBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** What is asked for at once of a file that is longer than it says, as files of the system are. */
const partBytes = 65_536;

function readAll(descriptor: number, limitBytes: number): Buffer {
  const { size } = fstatSync(descriptor);
  if (size > limitBytes) throw tooLong(`${size} bytes`, limitBytes);
  const parts: Buffer[] = [];
  let readBytes = 0;
  // One byte more than is known of tells the end.
  for (let askedBytes = size + 1; ; askedBytes = partBytes) {
    const part = Buffer.allocUnsafe(Math.min(askedBytes, limitBytes + 1 - readBytes));
    const got = readSync(descriptor, part, 0, part.length, null);
    if (got === 0) return Buffer.concat(parts, readBytes);
    parts.push(part.subarray(0, got));
    readBytes += got;
    if (readBytes > limitBytes) throw tooLong(`more than ${limitBytes} bytes`, limitBytes);
  }
}

function tooLong(has: string, limitBytes: number): Refusal {
  return new Refusal(`it has ${has}, more than ${limitBytes} is not taken`);
}
