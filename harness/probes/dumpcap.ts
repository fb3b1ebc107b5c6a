import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { within } from '../clients/browsers/deadline.ts';

/** A loaded machine takes seconds to start or end a program. */
const limitMs = 20_000;
/** The tenth of a second after which the kernel hands on what it has. */
const pollMs = 100;
/** What comes after the last packets of a trial is a few blocks of the file. */
const tailBytes = 1_000_000;
const maxSaid = 5000;
const install = 'Install Wireshark’s dumpcap (Debian: tshark) and run as root, or as a member of its group.';

/** Of which packets a capture is. */
export interface CapturedPackets {
  readonly device: string;
  readonly server: { readonly address: string; readonly port: number };
  /** With this many bytes dumpcap ends by itself, kB. */
  readonly maxKilobytes: number;
  /** Packets to keep, in libpcap’s words (pcap-filter(7)); of each so many bytes, or all. */
  readonly parts: readonly { readonly filter: string; readonly maxBytes?: number }[];
  /** Words in front of the command, which bring it to where the packets are. */
  readonly prefix?: readonly string[];
}

/** A recording of packets by Wireshark’s dumpcap. */
export interface Capture {
  readonly end: () => Promise<void>;
  /** What the file lacks, a line each, once it has ended. */
  readonly lacks: () => Promise<string[]>;
}

/** Resolves when packets are recorded into the file. @throws H2h3Error `unsupported` with what dumpcap said */
export async function startCapture(file: string, captured: CapturedPackets): Promise<Capture> {
  const { device, server, maxKilobytes, parts, prefix = [] } = captured;
  // A length of zero is the greatest (dumpcap(1)).
  const what = parts.flatMap(({ filter, maxBytes = 0 }) => [
    '-i',
    device,
    '-f',
    filter,
    '-s',
    String(maxBytes),
  ]);
  const [program = 'dumpcap', ...words] = [...prefix, 'dumpcap', ...what, '-w', file];
  const child = spawn(program, [...words, '-a', `filesize:${maxKilobytes}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  let isWhole = false;
  const begun = Promise.withResolvers<void>();
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(-maxSaid);
    if (said.includes('File: ')) begun.resolve();
  });
  const ended = once(child, 'close');
  ended.then(
    () => begun.reject(new H2h3Error('unsupported', `dumpcap: ${firstLine(said)}`, { next: install })),
    (cause: unknown) => begun.reject(new H2h3Error('unsupported', captureFailure(cause), { next: install })),
  );
  try {
    await within(begun.promise, limitMs, 'dumpcap');
  } catch (thrown) {
    child.kill('SIGKILL');
    throw thrown;
  }
  return {
    lacks: async () => {
      const { size } = await stat(file);
      const isCut = size >= maxKilobytes * 1000;
      const dropped = Number(/dropped on interface.*?: \d+\/(\d+)/.exec(said)?.[1] ?? 0);
      return [
        ...(isCut ? [`the capture ends at ${maxKilobytes} kB`] : []),
        ...(isWhole || isCut ? [] : ['the capture may lack its last packets']),
        ...(dropped > 0 ? [`the capture lacks ${dropped} packets`] : []),
      ];
    },
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
  { address, port }: CapturedPackets['server'],
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

function captureFailure(cause: unknown): string {
  return hasErrno(cause, 'ENOENT') ? 'there is no dumpcap' : `dumpcap could not be started: ${String(cause)}`;
}

function firstLine(said: string): string {
  return said.split('\n').find((line) => line.trim() !== '' && !line.startsWith('Capturing')) ?? 'it ended';
}
