import { existsSync, readFileSync } from 'node:fs';
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
      flows: flowsOf('tcp'),
    },
    udp: {
      received: grown('Udp', 'InDatagrams'),
      sent: grown('Udp', 'OutDatagrams'),
      flows: flowsOf('udp'),
    },
  };
}

const flowsOf = (transport: 'tcp' | 'udp'): { localPort: number; remotePort: number }[] =>
  connectedSockets(transport).map(({ localPort, remotePort }) => ({ localPort, remotePort }));

/** A socket that is connected, as the kernel lists it. */
interface ConnectedSocket {
  readonly localPort: number;
  readonly remotePort: number;
  /** Of the address at the other end. */
  readonly family: 4 | 6;
  /** By which a process's open files name it. */
  readonly inode: string;
}

/** Connected sockets of this process's network (`/proc/net/tcp`, proc_pid_net(5): addresses and ports in hexadecimal), those of IPv6 included. */
export function connectedSockets(transport: 'tcp' | 'udp'): ConnectedSocket[] {
  return [transport, `${transport}6`].flatMap((name) => {
    // Machines without IPv6 have no table of it.
    const text = existsSync(`/proc/self/net/${name}`) ? readFileSync(`/proc/self/net/${name}`, 'utf8') : '';
    return socketsIn(text);
  });
}

/** What is connected of such a table. */
export function socketsIn(table: string): ConnectedSocket[] {
  const [, ...rows] = table.trimEnd().split('\n');
  return rows.flatMap((row) => {
    const [, local = '', remote = '', , , , , , , inode = ''] = row.trim().split(/\s+/);
    const remotePort = portOf(remote);
    return remotePort === 0
      ? []
      : [{ localPort: portOf(local), remotePort, family: familyOf(remote), inode }];
  });
}

/** A socket of both versions has an address of IPv4 within one of IPv6 (RFC 4291, 2.5.5.2). */
function familyOf(address: string): 4 | 6 {
  const [hex = ''] = address.split(':');
  return hex.length > 8 && !hex.startsWith('0000000000000000FFFF0000') ? 6 : 4;
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '0', 16);
}
