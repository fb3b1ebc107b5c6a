import { readFileSync } from 'node:fs';
import type { TransportCounts } from '../../src/core/model/raw-trial.ts';
import { ownLink, transportCount } from '../../src/core/system/interface-counters.ts';

/** What the kernel has counted so far in the network namespace of this process; null where other programs share it. */
export function readTransports(): string | null {
  return ownLink() === null ? null : readFileSync('/proc/self/net/snmp', 'utf8');
}

/** What each transport carried from `before` on, with the sockets that are there now. */
export function transportCounts(before: string): TransportCounts {
  const after = readFileSync('/proc/self/net/snmp', 'utf8');
  const grown = (protocol: string, field: string): number =>
    transportCount(after, protocol, field) - transportCount(before, protocol, field);
  return {
    tcp: {
      received: grown('Tcp', 'InSegs'),
      sent: grown('Tcp', 'OutSegs'),
      flows: socketsOf('tcp'),
    },
    udp: {
      received: grown('Udp', 'InDatagrams'),
      sent: grown('Udp', 'OutDatagrams'),
      flows: socketsOf('udp'),
    },
  };
}

/** Connected sockets (`/proc/net/tcp`, proc_pid_net(5): addresses and ports in hexadecimal), those of IPv6 included. */
function socketsOf(transport: 'tcp' | 'udp'): { localPort: number; remotePort: number }[] {
  return [transport, `${transport}6`].flatMap((name) => {
    const [, ...rows] = readFileSync(`/proc/self/net/${name}`, 'utf8').trimEnd().split('\n');
    return rows.flatMap((row) => {
      const [, local = '', remote = ''] = row.trim().split(/\s+/);
      const localPort = portOf(local);
      const remotePort = portOf(remote);
      return remotePort === 0 ? [] : [{ localPort, remotePort }];
    });
  });
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '0', 16);
}
