import { readFileSync } from 'node:fs';
import { foundOr } from '../../src/core/model/errors.ts';
import type { NetworkProvider, RunningNetwork } from './network.ts';

const udpStatisticsFile = '/proc/net/snmp';

/** UDP datagrams that the machine's sockets lost because their receive buffers were full (Linux; none on other systems). */
export function udpReceiveBufferErrors(text: string): number | undefined {
  const [names, values] = text.split('\n').filter((line) => line.startsWith('Udp:'));
  const column = names?.split(' ').indexOf('RcvbufErrors') ?? -1;
  const value = Number(values?.split(' ')[column]);
  return column > 0 && Number.isFinite(value) ? value : undefined;
}

/** What this machine, or the network namespace of this process, counts whatever the network is. */
export function machineCounters(): Record<string, number> {
  const errors = udpReceiveBufferErrors(foundOr(() => readFileSync(udpStatisticsFile, 'utf8'), ''));
  return errors === undefined ? {} : { UdpRcvbufErrors: errors };
}

/** The machine's own loopback: nothing is shaped, nothing is touched, no privilege is needed. */
export const loopback: NetworkProvider = {
  id: 'loopback',
  title: 'the machine’s loopback, unshaped',
  start: (): Promise<RunningNetwork> => {
    return Promise.resolve({
      description: {
        id: 'loopback',
        backend: 'none',
        description: 'loopback of this machine, no rate limit, no added delay, no loss',
        impaired: false,
        privilege: 'none',
        offloads: null,
        checks: [],
      },
      serverAddress: '127.0.0.1',
      clientPrefix: [],
      serverPrefix: [],
      startSignal: () => null,
      counters: () => Promise.resolve(machineCounters()),
      stop: () => Promise.resolve(),
    });
  },
};
