import { formatBytes, formatNumber } from '../../format/numbers.ts';
import type { PageLoad, PageRequest } from '../page-data.ts';

/** Stretches of a request, in order; each has a height of its own, so that they differ without colour. */
export const stretchNames = ['blocked', 'connect', 'wait', 'receive'] as const;

interface Timing {
  readonly startMs: number;
  readonly stretchesMs: readonly number[];
}

/** One request as the arms made it; an arm that did not has no timing. */
export interface MatchedRow {
  readonly host: string;
  readonly name: string;
  /** Everything that is known of it, for the pointer. */
  readonly words: string;
  /** In the order of the arms. */
  readonly timings: readonly (Timing | undefined)[];
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
}

/** Letters of a path that a row has room for. */
const maxLetters = 34;

/** The path of an address, with its query where `withQuery`; of a long one the end, which differs from row to row. */
function pathOf(address: string, withQuery: boolean): string {
  let path: string;
  try {
    const { pathname, search } = new URL(address);
    path = withQuery ? pathname + search : pathname;
  } catch {
    return address;
  }
  if (path.length <= maxLetters) return path;
  const end = path.slice(1 - maxLetters);
  const folder = end.indexOf('/');
  return `…${folder > 0 && folder < end.length / 2 ? end.slice(folder) : end}`;
}

function timingOf(request: PageRequest): Timing {
  return { startMs: request[1], stretchesMs: request.slice(2, 6) as number[] };
}

function lengthOf(request: PageRequest): number {
  return request[2] + request[3] + request[4] + request[5];
}

function wordsOf(load: PageLoad, request: PageRequest | undefined): string {
  if (request === undefined) return `${load.title}: not requested`;
  const [, startMs] = request;
  const failed = request[11] === '' ? '' : `, ${request[11]}`;
  return `${load.title}: ${formatNumber(startMs)} to ${formatNumber(startMs + lengthOf(request))} ms, ${formatBytes(request[6])}, ${request[8]}${request[9] === '' ? '' : `, priority ${request[9]}`}${failed}`;
}

/** Requests by address and by which time it is that the load asks for it. */
function keyed({ requests }: PageLoad): ReadonlyMap<string, PageRequest> {
  const counts = new Map<string, number>();
  return new Map(
    requests.map((request) => {
      const count = (counts.get(request[0]) ?? 0) + 1;
      counts.set(request[0], count);
      return [`${count} ${request[0]}`, request];
    }),
  );
}

/** The requests of all arms side by side, in the order of their first start. */
export function matchedRows(loads: readonly PageLoad[]): MatchedRow[] {
  const byArm = loads.map(keyed);
  const keys = [...new Set(byArm.flatMap((requests) => [...requests.keys()]))];
  const addresses = keys.map((key) => key.slice(key.indexOf(' ') + 1));
  const samePath = Map.groupBy(new Set(addresses), (address) => address.split('?')[0]);
  const rows = keys.map((key, place) => {
    const requests = byArm.map((arm) => arm.get(key));
    const address = addresses[place] ?? '';
    const withQuery = (samePath.get(address.split('?')[0])?.length ?? 0) > 1;
    const failed = requests.some(
      (request) => request !== undefined && (request[11] !== '' || request[7] >= 400),
    );
    const only = requests.length > 1 && requests.filter((request) => request !== undefined).length === 1;
    const made = requests.findIndex((request) => request !== undefined);
    return {
      host: hostOf(address),
      name: `${failed ? '✕ ' : ''}${pathOf(address, withQuery)}${only ? ` (only ${loads[made]?.title ?? ''})` : ''}`,
      words: [address, ...loads.map((load, i) => wordsOf(load, requests[i]))].join('\n'),
      timings: requests.map((request) => (request === undefined ? undefined : timingOf(request))),
      firstMs: Math.min(...requests.map((request) => request?.[1] ?? Infinity)),
    };
  });
  return rows.toSorted((a, b) => a.firstMs - b.firstMs);
}
