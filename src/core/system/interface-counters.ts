import { readFileSync } from 'node:fs';

/** Cumulative counters of an interface (`/proc/net/dev`, proc_pid_net(5)). */
export interface InterfaceCounters {
  readonly receivedBytes: number;
  readonly receivedPackets: number;
  readonly sentBytes: number;
  readonly sentPackets: number;
}

/** `/proc/net/dev` of the network namespace of this process; of a trial's worker it is the client's. */
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
        receivedBytes: field(0),
        receivedPackets: field(1),
        sentBytes: field(8),
        sentPackets: field(9),
      };
      return [[name.trim(), counters] as const];
    }),
  );
}

/**
 * The one link of the network namespace of this process where that is a client's own; null where other programs share it: on
 * the machine itself.
 */
export function ownLink(): string | null {
  const [link, ...others] = [...parseInterfaces(readInterfaces()).keys()].filter((name) => name !== 'lo');
  // A namespace that a run made has its link and a loopback.
  return link !== undefined && others.length === 0 && link.startsWith('h2h3-') ? link : null;
}

/** A counter of `/proc/net/snmp`, which has for each protocol a line of names and a line of values (proc_pid_net(5)). */
export function transportCount(text: string, protocol: string, field: string): number {
  const [names, values] = text
    .split('\n')
    .filter((line) => line.startsWith(`${protocol}: `))
    .map((line) => line.split(' '));
  return Number(values?.[names?.indexOf(field) ?? -1] ?? 0);
}
