import { readFileSync } from 'node:fs';
import { H2h3Error } from '../../src/model/errors.ts';
import type { ProbeContext } from './probe.ts';

/** Cumulative counters of an interface (`/proc/net/dev`, proc_pid_net(5)). */
export interface InterfaceCounters {
  readonly receivedBytes: number;
  readonly receivedPackets: number;
  readonly sentBytes: number;
  readonly sentPackets: number;
}

/** `/proc/net/dev` of the network namespace of this process, which is the client's. */
export function readInterfaces(): string {
  return readFileSync('/proc/self/net/dev', 'utf8');
}

/** Counters by interface. */
export function parseInterfaces(text: string): ReadonlyMap<string, InterfaceCounters> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [name, figures] = line.split(':');
      if (name === undefined || figures === undefined) return [];
      const fields = figures.trim().split(/\s+/).map(Number);
      const field = (index: number): number => fields[index] ?? 0;
      const counters = {
        ...{ receivedBytes: field(0), receivedPackets: field(1) },
        ...{ sentBytes: field(8), sentPackets: field(9) },
      };
      return [[name.trim(), counters] as const];
    }),
  );
}

/**
 * The interface on which the client alone has traffic.
 *
 * @throws H2h3Error `unsupported` on loopback, which both ends and all programs of the machine share, and for live addresses.
 */
export function ownInterface({ launch }: ProbeContext): string {
  const address = launch.server?.address;
  const names = [...parseInterfaces(readInterfaces()).keys()].filter((name) => name !== 'lo');
  const [name] = names;
  if (address === undefined || address.startsWith('127.') || names.length !== 1 || name === undefined)
    throw new H2h3Error('unsupported', 'the client shares its network interface with other programs', {
      next: 'Measure over an emulated network, such as --network fiber-300: there the client has an interface of its own.',
    });
  return name;
}
