import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';
import { within } from '../clients/browsers/deadline.ts';
import { parseInterfaces, readInterfaces } from '../../src/system/interface-counters.ts';
import type { Probe, ProbeContext, ProbeSession, ProbeYield } from './probe.ts';

const run = promisify(execFile);
/** A loaded machine takes seconds to start or end a program. */
const limitMs = 20_000;
/** The tenth of a second after which the kernel hands on what it has. */
const pollMs = 100;
/** What comes after the last packets of a trial is a few blocks of the file. */
const tailBytes = 1_000_000;
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
  disturbs: true,
  bare: false,
  keepsTraffic: true,
  onThisMachine: true,
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
    return captured(file, await startCapture(device, server, file), context, logs?.keys);
  },
};

/** Loopback, or the one interface of the client’s namespace. */
function deviceTo(address: string): string {
  if (address.startsWith('127.') || address === '::1') return 'lo';
  return [...parseInterfaces(readInterfaces()).keys()].find((name) => name !== 'lo') ?? 'lo';
}

type CapturedServer = NonNullable<ProbeContext['launch']['server']>;

interface Capture {
  /** Whether it has all packets up to its end. */
  readonly isWhole: () => boolean;
  readonly end: () => Promise<void>;
  readonly said: () => string;
}

/** Resolves when packets are recorded. @throws H2h3Error `unsupported` with what dumpcap said */
async function startCapture(device: string, server: CapturedServer, file: string): Promise<Capture> {
  const child = spawn(
    'dumpcap',
    ['-i', device, '-f', `port ${server.port}`, '-w', file, '-a', `filesize:${mostKilobytes}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  let isWhole = false;
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
    isWhole: () => isWhole,
    end: async () => {
      isWhole = await drained(file, server, () => child.exitCode !== null);
      child.kill('SIGINT');
      await within(ended, limitMs, 'dumpcap');
    },
  };
}

/**
 * The kernel hands packets on in batches, and what dumpcap has not read when it is told to end is lost. So a datagram of our
 * own goes the way of the others: when it is in the file, everything before it is. False where it did not come.
 */
async function drained(
  file: string,
  { address, port }: CapturedServer,
  hasEnded: () => boolean,
): Promise<boolean> {
  const marker = Buffer.from(`h2h3: the capture ends here ${randomUUID()}`);
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('error', () => undefined); // nothing listens there over TCP
  try {
    const endMs = performance.now() + limitMs;
    while (performance.now() < endMs && !hasEnded()) {
      socket.send(marker, port, address);
      await sleep(pollMs);
      if ((await tailOf(file)).includes(marker)) return true;
    }
    return false;
  } finally {
    socket.close();
  }
}

async function tailOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    await file.read(tail, 0, tail.length, size - tail.length);
    return tail;
  } finally {
    await file.close();
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
  { end, said, isWhole }: Capture,
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
        ...(isWhole() || size >= mostKilobytes * 1000 ? [] : ['the capture may lack its last packets']),
        ...(Number(dropped ?? 0) > 0 ? [`the capture lacks ${dropped} packets`] : []),
      ];
      if (keysFile === undefined || !existsSync(keysFile)) {
        await copyFile(file, join(trialDir, kept));
        const why =
          'this client writes no secrets (SSLKEYLOGFILE), so the capture cannot be decrypted; browsers, curl, wget2 and h2load write them';
        return { artifacts: { capture: kept }, warnings: [...warnings, why] };
      }
      await copyFile(keysFile, join(trialDir, keptKeys));
      // A decryption secrets block, so that one file is enough.
      await run('editcap', ['--inject-secrets', `tls,${keysFile}`, file, join(trialDir, kept)]);
      return { artifacts: { capture: kept, keys: keptKeys }, warnings };
    },
  };
}
