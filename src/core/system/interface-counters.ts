import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';

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

/** Of a route of `/proc/net/route` (proc_pid_net(5)): numbers in hexadecimal, the bytes of an address in the order of the machine. */
interface Route {
  readonly link: string;
  readonly target: number;
  readonly mask: number;
}

const routePattern = /^(\S+)\t([0-9A-F]{8})\t[0-9A-F]{8}\t([0-9A-F]{4})\t\d+\t\d+\t\d+\t([0-9A-F]{8})\t/gm;
const routeIsUp = 1;

function parseRoutes(text: string): Route[] {
  return [...text.matchAll(routePattern)].flatMap(([, link = '', target = '', flags = '', mask = '']) =>
    (Number.parseInt(flags, 16) & routeIsUp) === 0
      ? []
      : [{ link, target: littleEndian(target), mask: littleEndian(mask) }],
  );
}

const littleEndian = (hex: string): number => Buffer.from(hex, 'hex').readUInt32LE();

/** The link by which packets leave for an IPv4 address, by the longest route; null where none leads there. */
export function linkTowards(address: string, routes = readRoutes): string | null {
  if (!isIPv4(address) || address.startsWith('127.')) return 'lo';
  const number = Buffer.from(address.split('.').map(Number)).readUInt32BE();
  const fitting = parseRoutes(routes()).filter(({ target, mask }) => (number & mask) >>> 0 === target);
  return fitting.toSorted((a, b) => b.mask - a.mask)[0]?.link ?? null;
}

const readRoutes = (): string => readFileSync('/proc/self/net/route', 'utf8');

/** A counter of `/proc/net/snmp`, which has for each protocol a line of names and a line of values (proc_pid_net(5)). */
export function transportCount(text: string, protocol: string, field: string): number {
  const [names, values] = text
    .split('\n')
    .filter((line) => line.startsWith(`${protocol}: `))
    .map((line) => line.split(' '));
  return Number(values?.[names?.indexOf(field) ?? -1] ?? 0);
}
