/**
 * The origin of a recorded site as a program, because it runs beside the server, wherever that is.
 * Usage: node serve-archive.ts ARCHIVE [--think-time] SOCKET LEDGER; ends with SIGTERM.
 */
import { createWriteStream } from 'node:fs';
import { messageOf } from '../../src/model/errors.ts';
import { openArchive } from '../archive/open-archive.ts';
import { createReplayOrigin } from './replay-origin.ts';

const thinkTimeSwitch = '--think-time';

if (import.meta.main) {
  const args = process.argv.slice(2);
  const [directory = '', socket = '', ledgerFile = ''] = args.filter((arg) => arg !== thinkTimeSwitch);
  try {
    const ledger = createWriteStream(ledgerFile, { flags: 'a' });
    const server = createReplayOrigin({
      archive: await openArchive(directory),
      recordedWait: args.includes(thinkTimeSwitch),
      onRequest: (line) => void ledger.write(`${JSON.stringify(line)}\n`),
    });
    server.listen(socket);
    process.on('SIGTERM', () => process.exit(0));
  } catch (thrown) {
    process.stderr.write(`${messageOf(thrown)}\n`);
    process.exit(1);
  }
}
