import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';
import { within } from '../clients/browsers/deadline.ts';
import { parseInterfaces, readInterfaces } from './own-interface.ts';
import type { Probe, ProbeContext, ProbeSession, ProbeYield } from './probe.ts';

const run = promisify(execFile);
/** A loaded machine takes seconds to start or end a program. */
const limitMs = 20_000;
/** Several times the tenth of a second after which the kernel hands on what it has. */
const settledMs = 500;
const mostSaid = 5000;
const kept = 'capture.pcapng';
const keptKeys = 'keys.log';
/** After so many dumpcap ends by itself. */
const mostKilobytes = 128_000;
const install = 'Install Wireshark’s dumpcap (Debian: tshark) and run as root, or as a member of its group.';

/** Packets at the client’s interface with the secrets to read them: Wireshark and tshark show HTTP/2 and HTTP/3 in it. */
export const capture: Probe = {
  id: 'capture',
  title: 'packets between client and server as pcapng with the secrets of their connections, for Wireshark',
  recorded: 'asked',
  launch: { logs: ['keys'] },
  setup: async (context) => {
    const { server, logs } = context.launch;
    if (server === null)
      throw new H2h3Error('unsupported', 'which packets belong to a live address is not known', {
        next: 'Capture a live address with Wireshark itself.',
      });
    await mkdir(context.tempDir, { recursive: true });
    const file = join(context.tempDir, kept);
    const device = deviceTo(server.address);
    return captured(file, await startCapture(device, server.port, file), context, logs?.keys);
  },
};

/** Loopback, or the one interface of the client’s namespace. */
function deviceTo(address: string): string {
  if (address.startsWith('127.') || address === '::1') return 'lo';
  return [...parseInterfaces(readInterfaces()).keys()].find((name) => name !== 'lo') ?? 'lo';
}

interface Capture {
  readonly end: () => Promise<void>;
  readonly said: () => string;
}

/** Resolves when packets are recorded. @throws H2h3Error `unsupported` with what dumpcap said */
async function startCapture(device: string, port: number, file: string): Promise<Capture> {
  const child = spawn(
    'dumpcap',
    ['-i', device, '-f', `port ${port}`, '-w', file, '-a', `filesize:${mostKilobytes}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  const begun = Promise.withResolvers<void>();
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(-mostSaid);
    if (said.includes('File: ')) begun.resolve();
  });
  const ended = once(child, 'close');
  ended.then(
    () => begun.reject(new H2h3Error('unsupported', `dumpcap: ${firstLine(said)}`, { next: install })),
    (cause: unknown) => begun.reject(new H2h3Error('unsupported', whyNot(cause), { next: install })),
  );
  try {
    await within(begun.promise, limitMs, 'dumpcap');
  } catch (thrown) {
    child.kill('SIGKILL');
    throw thrown;
  }
  return {
    said: () => said,
    end: async () => {
      await drained(file);
      child.kill('SIGINT');
      await within(ended, limitMs, 'dumpcap');
    },
  };
}

/** The kernel hands packets on in batches, and what dumpcap has not read when it is told to end is lost: resolves when nothing comes any more. */
async function drained(file: string): Promise<void> {
  const endMs = performance.now() + limitMs;
  let [before, after] = [-1, (await stat(file)).size];
  while (before !== after && performance.now() < endMs) {
    await sleep(settledMs);
    [before, after] = [after, (await stat(file)).size];
  }
}

function whyNot(cause: unknown): string {
  return hasErrno(cause, 'ENOENT') ? 'there is no dumpcap' : `dumpcap could not be started: ${String(cause)}`;
}

function firstLine(said: string): string {
  return said.split('\n').find((line) => line.trim() !== '' && !line.startsWith('Capturing')) ?? 'it ended';
}

function captured(
  file: string,
  { end, said }: Capture,
  { trialDir }: ProbeContext,
  keysFile: string | undefined,
): ProbeSession {
  return {
    stop: end,
    teardown: async (): Promise<ProbeYield> => {
      const dropped = /dropped on interface.*?: \d+\/(\d+)/.exec(said())?.[1];
      const { size } = await stat(file);
      const warnings = [
        ...(size >= mostKilobytes * 1000 ? [`the capture ends at ${mostKilobytes} kB`] : []),
        ...(Number(dropped ?? 0) > 0 ? [`the capture lacks ${dropped} packets`] : []),
      ];
      if (keysFile === undefined || !existsSync(keysFile)) {
        await copyFile(file, join(trialDir, kept));
        const why = 'this client writes no secrets (SSLKEYLOGFILE): the capture cannot be decrypted';
        return { artifacts: { capture: kept }, warnings: [...warnings, why] };
      }
      await copyFile(keysFile, join(trialDir, keptKeys));
      // A decryption secrets block, so that one file is enough.
      await run('editcap', ['--inject-secrets', `tls,${keysFile}`, file, join(trialDir, kept)]);
      return { artifacts: { capture: kept, keys: keptKeys }, warnings };
    },
  };
}
