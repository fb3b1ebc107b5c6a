/**
 * The origin of a recorded site as a program, because it runs next to the server, wherever that is.
 * Usage: node serve-archive.ts ARCHIVE [--think-time] [--deterministic=EPOCHMS] [--in-documents] SOCKET LEDGER; ends with SIGTERM.
 */
import { createWriteStream } from 'node:fs';
import { messageOf } from '../../src/core/model/errors.ts';
import { openArchive } from '../archive/open-archive.ts';
import { chanceScript } from './chance-script.ts';
import { createReplayOrigin } from './replay-origin.ts';

const thinkTimeSwitch = '--think-time';
const deterministicSwitch = '--deterministic=';
const inDocumentsSwitch = '--in-documents';

/** Gathers what is written within 5 ms: a system call for each request would be most of its time. */
function inBatches(write: (text: string) => void): (text: string) => void {
  let gathered = '';
  return (text) => {
    if (gathered === '') {
      setTimeout(() => {
        write(gathered);
        gathered = '';
      }, 5);
    }
    gathered += text;
  };
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const [directory = '', socket = '', ledgerFile = ''] = args.filter((arg) => !arg.startsWith('--'));
  const epochMs = args.find((arg) => arg.startsWith(deterministicSwitch))?.slice(deterministicSwitch.length);
  try {
    const ledger = createWriteStream(ledgerFile, { flags: 'a' });
    const write = inBatches((text) => void ledger.write(text));
    const server = createReplayOrigin({
      archive: await openArchive(directory),
      recordedWait: args.includes(thinkTimeSwitch),
      ...(epochMs === undefined ? {} : { workerScript: chanceScript(Number(epochMs)) }),
      inDocuments: args.includes(inDocumentsSwitch),
      onRequest: (line) => write(`${JSON.stringify(line)}\n`),
    });
    server.listen(socket);
    process.on('SIGTERM', () => process.exit(0));
  } catch (thrown) {
    process.stderr.write(`${messageOf(thrown)}\n`);
    process.exit(1);
  }
}
