import { entryKey } from '../archive/archive-index.ts';
import { sha256, type RecordedExchange } from '../archive/write-archive.ts';
import { minOf } from '../../src/core/model/min-of.ts';

/**
 * Gives each exchange the least think time that its server needed for it in any of the loads, and the shortest pauses: what
 * a load waited longer for was this machine, or the way, and is no property of the site. Alike are exchanges that ask for the
 * same as often before in their load and get the same status: pages with a token or a session in them are other bytes
 * each time, and take as long. Pauses stand at places within a body, so they are compared among equal bodies alone.
 */
export function withMinWaits(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  if (exchanges.every(({ entry }) => (entry.visit ?? 0) === 0)) return [...exchanges];
  const places = placesOf(exchanges);
  const alike = Map.groupBy(exchanges, (exchange) => places.get(exchange));
  const bodies = new Map(exchanges.map((exchange) => [exchange, sha256(exchange.body ?? Buffer.alloc(0))]));
  return exchanges.map((exchange) => {
    const asked = alike.get(places.get(exchange)) ?? [exchange];
    const waitMs = minOf(asked.map(({ entry }) => entry.waitMs));
    const [shortest] = asked
      .filter((other) => bodies.get(other) === bodies.get(exchange))
      .toSorted((a, b) => pausedMs(a) - pausedMs(b));
    return { ...exchange, entry: { ...exchange.entry, waitMs, pauses: shortest?.entry.pauses } };
  });
}

/** What is asked for, how often it was asked for before in its load, and how it ended. */
function placesOf(exchanges: readonly RecordedExchange[]): ReadonlyMap<RecordedExchange, string> {
  const asked = new Map<string, number>();
  return new Map(
    exchanges.map((exchange) => {
      const { entry, requestBody } = exchange;
      const { scheme = 'https', port = 443 } = entry;
      const sent = requestBody && sha256(requestBody);
      // Each load has cookies of its own, which `Vary` may name.
      const key = entryKey({ ...entry, scheme, port, vary: {}, requestBody: sent });
      const inLoad = `${entry.visit ?? 0} ${key}`;
      const before = asked.get(inLoad) ?? 0;
      asked.set(inLoad, before + 1);
      return [exchange, `${key} ${before} ${entry.status} ${entry.failure ?? ''}`];
    }),
  );
}

function pausedMs({ entry: { pauses = [] } }: RecordedExchange): number {
  return pauses.reduce((sum, [, ms]) => sum + ms, 0);
}
