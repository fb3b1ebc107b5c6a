import type { Readable } from 'node:stream';
import { maxLineBytes } from './far-protocol.ts';

/** Hands on each whole line of a stream; once a line is longer than any of ours it hands on nothing more and says so. */
export function onLines(stream: Readable, onLine: (line: string) => void, onTooLong: () => void): void {
  let parts: Buffer[] = [];
  let gotBytes = 0;
  let isOver = false;
  const gather = (part: Buffer): void => {
    parts.push(part);
    gotBytes += part.length;
    if (gotBytes <= maxLineBytes) return;
    isOver = true;
    parts = [];
    onTooLong();
  };
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1 && !isOver; end = chunk.indexOf(0x0a, from)) {
      gather(chunk.subarray(from, end));
      from = end + 1;
      if (isOver) return;
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      gotBytes = 0;
      onLine(line);
    }
    if (!isOver) gather(chunk.subarray(from));
  });
}
