import type { RawTrial } from '../../model/raw-trial.ts';
import type { NetworkObject } from './network-object.ts';
import type { DerivedPart } from './part.ts';

/**
 * What a second visit had from the first: `cachedObjectCount`, objects that came from the browser's cache, and
 * `resumedShare`, the share of requests whose connection took up an earlier TLS session by the server's log (0 … 1;
 * null where the server does not say).
 */
export function repeatMetrics(raw: RawTrial, objects: readonly NetworkObject[]): DerivedPart {
  const cached = objects.filter(({ fromCache, browserMade }) => fromCache && !browserMade);
  const told = (raw.serverLog ?? []).filter(({ resumed }) => resumed !== undefined);
  const resumed = told.filter((entry) => entry.resumed === true);
  return {
    metrics: {
      cachedObjectCount: new Set(cached.map(({ url }) => url)).size,
      resumedShare: told.length === 0 ? null : resumed.length / told.length,
    },
    warnings: [],
  };
}
