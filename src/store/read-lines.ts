import { readSync } from 'node:fs';

const newline = 0x0a;
const chunkBytes = 1024 * 1024;
/** A record has some kilobytes; a line beyond this is none, and is passed over without being held. */
export const longestLineBytes = 64 * 1024 * 1024;

export interface Line {
  /** Null: longer than `longestLineBytes`. */
  readonly text: string | null;
  /** Byte after its newline, or the end of the file. */
  readonly endOffset: number;
  /** Whether a newline ends it; the last line of a file that is being written may go on. */
  readonly whole: boolean;
}

/** Lines of an open file from an offset on, a chunk in memory at a time. */
export function* readLines(descriptor: number, fromOffset = 0): Generator<Line> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let parts: Buffer[] = [];
  let lengthBytes = 0;
  let offset = fromOffset;
  const keep = (piece: Buffer): void => {
    lengthBytes += piece.length;
    if (lengthBytes <= longestLineBytes) parts.push(Buffer.from(piece));
    else parts = [];
  };
  const take = (endOffset: number, whole: boolean): Line => {
    const text = lengthBytes > longestLineBytes ? null : Buffer.concat(parts).toString('utf8');
    parts = [];
    lengthBytes = 0;
    return { text, endOffset, whole };
  };
  for (;;) {
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
