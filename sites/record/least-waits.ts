import { entryKey } from '../archive/archive-index.ts';
import { sha256, type RecordedExchange } from '../archive/write-archive.ts';

/**
 * Gives each exchange the least think time, and the shortest pauses, that its server needed in any of the loads: what a
 * load waited longer for was this machine, or the way, and is no property of the site. Alike are exchanges that ask for
 * the same as often before in their load and get the same.
 */
export function withLeastWaits(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  if (exchanges.every(({ entry }) => (entry.visit ?? 0) === 0)) return [...exchanges];
  const places = placesOf(exchanges);
  const alike = Map.groupBy(exchanges, (exchange) => places.get(exchange));
  return exchanges.map((exchange) => {
    const same = alike.get(places.get(exchange)) ?? [exchange];
    const waitMs = Math.min(...same.map(({ entry }) => entry.waitMs));
    const [shortest] = same.toSorted((a, b) => pausedMs(a) - pausedMs(b));
    return { ...exchange, entry: { ...exchange.entry, waitMs, pauses: shortest?.entry.pauses } };
  });
}

/** What is asked for and got, and how often it was asked for before in its load. */
function placesOf(exchanges: readonly RecordedExchange[]): ReadonlyMap<RecordedExchange, string> {
  const asked = new Map<string, number>();
  return new Map(
    exchanges.map((exchange) => {
      const { entry, requestBody, body } = exchange;
      const { scheme = 'https', port = 443, vary = {} } = entry;
      const sent = requestBody && sha256(requestBody);
      const key = entryKey({ ...entry, scheme, port, vary, requestBody: sent });
      const inLoad = `${entry.visit ?? 0} ${key}`;
      const before = asked.get(inLoad) ?? 0;
      asked.set(inLoad, before + 1);
      const got = `${entry.status} ${entry.failure ?? ''} ${sha256(body ?? Buffer.alloc(0))}`;
      return [exchange, `${key} ${before} ${got}`];
    }),
  );
}

function pausedMs({ entry: { pauses = [] } }: RecordedExchange): number {
  return pauses.reduce((sum, [, ms]) => sum + ms, 0);
}
