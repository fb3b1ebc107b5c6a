import { createConnection, createServer } from 'node:net';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { PathStart } from '../../src/core/model/path-start.ts';
import type { RunningNetwork } from '../network/network.ts';

/** One socket to which the line is written that begins the traces of every link. */
export interface StartRelay {
  readonly signal: (blockSeed: number) => PathStart;
  readonly stop: () => Promise<void>;
}

/** The starter of a navigation writes one line to one socket; with several links that vary, this hands it on to each. */
export async function openStartRelay(
  links: readonly RunningNetwork[],
  socketPath: string,
): Promise<StartRelay> {
  await rm(socketPath, { force: true });
  const server = createServer((from) => {
    from.on('error', () => undefined); // the worker that wrote may be gone by now
    from.once('data', (data) => {
      const seed = Number(/^start (\d+)/.exec(data.toString())?.[1] ?? 0);
      for (const link of links) tell(link, seed);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    signal: (blockSeed) => ({ socketPath, line: `start ${blockSeed}` }),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** A link that does not listen any more is found dead when its counters are read. */
function tell(link: RunningNetwork, blockSeed: number): void {
  const signal = link.startSignal(blockSeed);
  if (signal === null) return;
  const socket = createConnection(signal.socketPath);
  socket.on('error', () => socket.destroy());
  socket.end(`${signal.line}\n`);
}
