/**
 * The sink of uploads as a program, because it runs next to the server, wherever that is. It ends when what it tells cannot be
 * written: a disk that is full must not look like an upload of which nothing came.
 * Usage: node serve-sink.ts MOSTBYTES SOCKET LEDGER; ends with SIGTERM.
 */
import { openSync, writeFileSync } from 'node:fs';
import { createSink } from './sink.ts';

if (import.meta.main) {
  const [maxBytes = '', socket = '', ledgerFile = ''] = process.argv.slice(2);
  const ledger = openSync(ledgerFile, 'a');
  const server = createSink({
    maxBytes: Number(maxBytes),
    // At once and whole: what is told of an upload is there before its answer.
    onLine: (line) => writeFileSync(ledger, `${JSON.stringify(line)}\n`),
  });
  server.listen(socket);
  process.on('SIGTERM', () => process.exit(0));
}
