import { headerOf, type Header } from '../archive/headers.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';

/** An exchange and the headers of its request, of which an archive keeps those only that tell answers apart. */
export interface AskedExchange {
  readonly exchange: RecordedExchange;
  readonly requestHeaders: readonly Header[];
}

const simpleMethods = new Set(['GET', 'HEAD', 'POST']);
const simpleTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i;
/** What pages may set without being asked about (Fetch, "CORS-safelisted request-header"), and what browsers set. */
const unaskedHeaders =
  /^(:.*|accept|accept-.*|content-language|content-length|range|sec-.*|user-agent|referer|origin|cookie|host|connection|dnt|cache-control|pragma|if-.*|upgrade-insecure-requests|priority|te|save-data)$/i;

/**
 * Preflights (Fetch, "CORS-preflight fetch") that a browser must have sent and that its file leaves out, each answered as
 * all requests to its address need it.
 */
export function missingPreflights(asked: readonly AskedExchange[]): RecordedExchange[] {
  const held = new Set(asked.map(({ exchange }) => requestKey(exchange, exchange.entry.method)));
  const found = new Map<string, FoundPreflight>();
  for (const each of asked) {
    const place = requestKey(each.exchange, 'OPTIONS');
    const preflight = held.has(place) ? null : preflightOf(each);
    if (preflight === null) continue;
    const known = found.get(place) ?? { preflight, headers: new Map() };
    found.set(place, known);
    for (const header of preflight.entry.headers) {
      const [name, value] = header;
      // Who may ask is said once.
      const key = name === allowedOrigin ? name : `${name}: ${value}`;
      if (!known.headers.has(key)) known.headers.set(key, header);
    }
  }
  return [...found.values()].map(({ preflight, headers }) => ({
    ...preflight,
    entry: { ...preflight.entry, headers: [...headers.values()] },
  }));
}

interface FoundPreflight {
  /** The first of its address. */
  readonly preflight: RecordedExchange;
  /** What all of them are answered with. */
  readonly headers: Map<string, [string, string]>;
}

const allowedOrigin = 'access-control-allow-origin';

function preflightOf({ exchange, requestHeaders }: AskedExchange): RecordedExchange | null {
  const { entry } = exchange;
  const allowed = headerOf(entry.headers, allowedOrigin);
  if (allowed === undefined || headerOf(requestHeaders, 'origin') === undefined) return null;
  const type = headerOf(requestHeaders, 'content-type');
  const names = requestHeaders
    .map(([name]) => name.toLowerCase())
    .filter((name) => (name === 'content-type' ? !simpleTypes.test(type ?? '') : !unaskedHeaders.test(name)));
  if (names.length === 0 && simpleMethods.has(entry.method)) return null;
  const credentials = headerOf(entry.headers, 'access-control-allow-credentials');
  const headers: [string, string][] = [
    [allowedOrigin, allowed],
    ['access-control-allow-methods', entry.method],
    ...names.map((name): [string, string] => ['access-control-allow-headers', name]),
    ...(credentials === undefined
      ? []
      : [['access-control-allow-credentials', credentials] as [string, string]]),
  ];
  const { scheme, host, port, path, query, bareQuery, visit, startMs } = entry;
  return {
    entry: {
      method: 'OPTIONS',
      scheme,
      host,
      port,
      path,
      query,
      ...(bareQuery === undefined ? {} : { bareQuery }),
      visit,
      range: '',
      status: 204,
      headers,
      startMs,
      waitMs: 0,
    },
    requestBody: null,
    body: null,
  };
}

function requestKey(
  { entry: { scheme, host, port, path, query, bareQuery } }: RecordedExchange,
  method: string,
): string {
  return [method, scheme, host, port, path, query, bareQuery].join(' ');
}
