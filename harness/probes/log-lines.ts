import { createReadStream } from 'node:fs';

/** No record of a log is longer; what is, is no record, and would fill the memory. */
const maxLineCharacters = 8_000_000;

/** The lines of a log, one at a time and up to so many bytes of it, however long it is; a line that is far too long is left out. */
export async function* logLines(file: string, maxBytes: number): AsyncGenerator<string> {
  let begun = '';
  let isTooLong = false;
  for await (const part of createReadStream(file, { end: maxBytes - 1, encoding: 'utf8' })) {
    const [first = '', ...others] = String(part).split('\n');
    isTooLong ||= begun.length + first.length > maxLineCharacters;
    begun = isTooLong ? '' : begun + first;
    for (const line of others) {
      if (!isTooLong) yield begun.replace(/\r$/, '');
      [begun, isTooLong] = [line, false];
    }
  }
  if (begun !== '' && !isTooLong) yield begun;
}
