import { readFile } from 'node:fs/promises';
import { ifAbsent } from '../../src/core/model/errors.ts';

/** State of a socket that waits for others, by table of proc_pid_net(5): TCP's LISTEN, and of UDP a socket without a peer. */
const waiting: Readonly<Record<string, string>> = { tcp: '0A', tcp6: '0A', udp: '07', udp6: '07' };

/** Inodes of the sockets of such a table that wait for others. */
export function waitingIn(text: string, state: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      return fields[3] === state && fields[9] !== undefined ? [fields[9]] : [];
    });
}

/** Inodes of all sockets that wait for others in the network namespace of a process. @param pid a number or `self` */
export async function listeningSockets(pid: number | 'self'): Promise<ReadonlySet<string>> {
  const tables = Object.entries(waiting).map(async ([name, state]) => {
    // Machines without IPv6 have no table of it.
    const text = await readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(ifAbsent(''));
    return waitingIn(text, state);
  });
  return new Set((await Promise.all(tables)).flat());
}

/** Ports of UDP at which a socket of this machine waits for datagrams that come to its loopback over IPv4. */
export function udpPortsIn(text: string): number[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      return state === waiting['udp'] && /^(?:0100007F|0+)$/.test(address) ? [parseInt(port, 16)] : [];
    });
}

/** The same of this machine now; sockets for both versions of IP are in the table of IPv6. */
export async function udpPortsHere(): Promise<ReadonlySet<number>> {
  const tables = ['udp', 'udp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(ifAbsent('')));
  return new Set((await Promise.all(tables)).flatMap(udpPortsIn));
}
