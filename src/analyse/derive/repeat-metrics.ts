import type { RawTrial, ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { DerivedPart } from './derived-part.ts';

/**
 * What a second visit had from the first: `cachedObjectCount`, objects that came from the browser's cache, and
 * `resumedHostShare`, the share of hosts whose first request came on a connection that took up an earlier TLS session
 * by the server's log (0 … 1; null where the server does not say). Later connections do not count: they may take up a
 * session of this very visit.
 */
export function repeatMetrics(raw: RawTrial, objects: readonly NetworkObject[]): DerivedPart {
  const cached = objects.filter(({ fromCache, browserMade }) => fromCache && !browserMade);
  return {
    metrics: {
      cachedObjectCount: new Set(cached.map(({ url }) => url)).size,
      resumedHostShare: resumedHostShare(raw.serverLog ?? []),
    },
    warnings: [],
  };
}

function resumedHostShare(log: readonly ServerLogEntry[]): number | null {
  const firstByHost = new Map<string, ServerLogEntry>();
  for (const entry of log.filter(({ resumed }) => resumed !== undefined)) {
    const first = firstByHost.get(entry.host);
    if (first === undefined || entry.startEpochMs < first.startEpochMs) firstByHost.set(entry.host, entry);
  }
  const firsts = [...firstByHost.values()];
  return firsts.length === 0 ? null : firsts.filter(({ resumed }) => resumed === true).length / firsts.length;
}
