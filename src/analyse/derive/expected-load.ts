import { networkObjectsOf, type NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { ExpectedLoad, ExpectedRequest } from '../../core/model/expected-load.ts';
import type { Har } from '../../core/model/har.ts';

/** A page that asks without end must not fill the evidence of each trial. */
const maxRequests = 2_000;

/** What is kept of one load to hold later ones to. */
export interface PastLoad {
  /** Whether its browser was recorded, so that it is known which requests failed. */
  readonly isRecorded: boolean;
  readonly requests: readonly Pick<NetworkObject, 'method' | 'url' | 'status' | 'error'>[];
  /** What came and was asked for before the load event, by `placeKey`: what follows depends on how long a load is watched. */
  readonly beforeLoadEvent: ReadonlySet<string>;
}

export function pastLoadOf(har: Har): PastLoad {
  const objects = networkObjectsOf(har).filter(({ browserMade }) => !browserMade);
  const [page] = har.log.pages;
  const onLoadMs = page?.pageTimings.onLoad ?? null;
  const loadEpochMs = onLoadMs === null ? Infinity : Date.parse(page?.startedDateTime ?? '') + onLoadMs;
  const cameBefore = objects.filter(
    ({ startEpochMs, status }) => status > 0 && startEpochMs !== null && startEpochMs < loadEpochMs,
  );
  return {
    isRecorded: har.log._h2h3 === undefined,
    requests: objects
      .slice(0, maxRequests)
      .map(({ method, url, status, error }) => ({ method, url, status, error })),
    beforeLoadEvent: new Set(cameBefore.map(placeKey)),
  };
}

/** Queries differ from load to load: the path says what is asked for. What only a server's log has is known without its port. */
export function placeKey({ method, url }: Pick<NetworkObject, 'method' | 'url'>): string {
  const { hostname, pathname } = new URL(url);
  return `${method} ${hostname}${pathname}`;
}

/**
 * What loads of one page by one arm had, in their order. What differs between them is the page's freedom.
 *
 * @returns undefined where there is no load
 */
export function expectedLoadOf(loads: readonly PastLoad[]): ExpectedLoad | undefined {
  if (loads.length === 0) return undefined;
  // Of an address that several had, the latest recorded one tells, else the latest.
  const inOrder = loads.toSorted((a, b) => Number(a.isRecorded) - Number(b.isRecorded));
  const byAddress = new Map(
    inOrder.flatMap((load) => load.requests.map((request) => [addressKey(request), { load, request }])),
  );
  return {
    loads: loads.length,
    isRecorded: loads.some(({ isRecorded }) => isRecorded),
    requests: [...byAddress.values()].slice(0, maxRequests).map(({ load, request }): ExpectedRequest => {
      const { method, url, status, error } = request;
      return {
        method,
        url,
        status,
        ...(load.isRecorded && status <= 0 && error !== undefined ? { error } : {}),
        isInEveryLoad: loads.every(({ beforeLoadEvent }) => beforeLoadEvent.has(placeKey(request))),
      };
    }),
  };
}

const addressKey = ({ method, url }: Pick<NetworkObject, 'method' | 'url'>): string => `${method} ${url}`;
