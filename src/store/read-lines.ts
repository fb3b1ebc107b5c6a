import { closeSync, fstatSync, readSync } from 'node:fs';
import { H2h3Error, messageOf } from '../core/model/errors.ts';
import { openRegularFile } from '../core/system/read-input.ts';

const newline = 0x0a;
const chunkBytes = 1024 * 1024;
/** A record has some kilobytes; a line beyond this is none, and is passed over without being held. */
export const maxLineBytes = 4 * 1024 * 1024;
/** A hundred thousand records have less; what is longer would fill the memory, or be read for hours. */
export const maxJournalBytes = 500_000_000;

export interface Line {
  /** Null: longer than `maxLineBytes`. */
  readonly text: string | null;
  /** Byte after its newline, or the end of the file. */
  readonly endOffset: number;
  /** Whether a newline ends it; the last line of a file that is being written may go on. */
  readonly whole: boolean;
}

/**
 * Lines of a journal from an offset on, a chunk in memory at a time.
 *
 * @throws H2h3Error `bad-input` where it cannot be read, is no regular file, or is longer than `maxJournalBytes`
 */
export function* readLines(file: string, fromOffset = 0): Generator<Line> {
  const descriptor = openJournal(file);
  try {
    if (fstatSync(descriptor).size > maxJournalBytes) throw tooLong(file);
    yield* linesOf(file, descriptor, fromOffset);
  } finally {
    closeSync(descriptor);
  }
}

function openJournal(file: string): number {
  let descriptor: number | null;
  try {
    descriptor = openRegularFile(file);
  } catch (thrown) {
    throw new H2h3Error('bad-input', `${file} cannot be read: ${messageOf(thrown)}`, {
      cause: thrown,
      context: { file },
    });
  }
  if (descriptor !== null) return descriptor;
  throw new H2h3Error('bad-input', `${file} is no journal: it is no regular file`, { context: { file } });
}

function tooLong(file: string): H2h3Error {
  return new H2h3Error(
    'bad-input',
    `${file} is no journal: it has more than ${maxJournalBytes} bytes, as no run writes`,
    { context: { file }, next: 'Take the file from where the run was made, or measure again.' },
  );
}

function* linesOf(file: string, descriptor: number, fromOffset: number): Generator<Line> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let parts: Buffer[] = [];
  let lengthBytes = 0;
  let offset = fromOffset;
  const keep = (piece: Buffer): void => {
    lengthBytes += piece.length;
    if (lengthBytes <= maxLineBytes) parts.push(Buffer.from(piece));
    else parts = [];
  };
  const take = (endOffset: number, whole: boolean): Line => {
    const text = lengthBytes > maxLineBytes ? null : Buffer.concat(parts).toString('utf8');
    parts = [];
    lengthBytes = 0;
    return { text, endOffset, whole };
  };
  for (;;) {
    // It may grow while it is read.
    if (offset > maxJournalBytes) throw tooLong(file);
    const count = readSync(descriptor, chunk, 0, chunkBytes, offset);
    if (count === 0) break;
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1 && end < count; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take(offset + start, true);
    }
    keep(chunk.subarray(start, count));
    offset += count;
  }
  if (lengthBytes > 0) yield take(offset, false);
}
