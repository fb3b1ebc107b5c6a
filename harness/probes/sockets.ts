import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { foundOr } from '../../src/core/model/errors.ts';
import { atIntervals } from './at-intervals.ts';
import { ownInterface } from './own-interface.ts';
import type { Probe } from './probe.ts';

const intervalMs = 50;
const maxReadings = 12_000;
const file = 'sockets.json.gz';
const tables = ['/proc/self/net/udp', '/proc/self/net/udp6'];

/** One UDP socket of the client at one moment: bytes that wait to be read, datagrams dropped for want of room so far. */
export interface UdpSocketReading {
  readonly tMs: number;
  readonly socket: string;
  readonly localPort: number;
  readonly waitingBytes: number;
  readonly drops: number;
}

/** What waits in, and was dropped at, each UDP socket of the client. */
export const sockets: Probe = {
  id: 'sockets',
  title: 'datagrams that wait in each UDP socket of the client, and those dropped there; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  onThisMachine: true,
  forDiagnosis: true,
  setup: (context) => {
    ownInterface(context);
    const readings: { readonly tMs: number; readonly text: string }[] = [];
    const read = (): void => {
      if (readings.length < maxReadings)
        readings.push({
          tMs: performance.timeOrigin + performance.now(),
          text: tables.map(table).join('\n'),
        });
    };
    return {
      ...atIntervals(read, intervalMs),
      teardown: async () => {
        const found = readings.flatMap(({ tMs, text }) => parseUdpSockets(text, tMs));
        await writeFile(join(context.trialDir, file), gzipSync(JSON.stringify({ readings: found })));
        const drops = new Map<string, number>();
        for (const { socket, drops: so } of found) drops.set(socket, Math.max(so, drops.get(socket) ?? 0));
        return {
          artifacts: { sockets: file },
          counters: {
            udpSocketDrops: [...drops.values()].reduce((sum, count) => sum + count, 0),
            udpSocketMostWaitingBytes: Math.max(0, ...found.map(({ waitingBytes }) => waitingBytes)),
          },
        };
      },
    };
  },
};

/** Machines without IPv6 have no table of it. */
function table(path: string): string {
  return foundOr(() => readFileSync(path, 'utf8'), '');
}

/** Lines of `/proc/net/udp`: the fifth word is `tx_queue:rx_queue` in hexadecimal, the second the local address and port likewise, the tenth the inode, the last the drops. */
export function parseUdpSockets(text: string, tMs: number): UdpSocketReading[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (!/^\d+:$/.test(words[0] ?? '')) return [];
    return [
      {
        tMs,
        socket: words[9] ?? '',
        localPort: Number.parseInt(words[1]?.split(':')[1] ?? '0', 16),
        waitingBytes: Number.parseInt(words[4]?.split(':')[1] ?? '0', 16),
        drops: Number(words.at(-1)),
      },
    ];
  });
}
