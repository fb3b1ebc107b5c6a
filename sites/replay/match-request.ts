import { entryKey, type ArchiveEntry } from '../archive/archive-index.ts';
import { isSecretKey } from '../archive/clean-exchange.ts';

export interface RequestToMatch {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly range: string;
  /** SHA-256 of the body; null: none. */
  readonly requestBody: string | null;
}

/** How well an answer fits: to the byte, but for the order or volatile keys of the query, or by path and best overlap. */
export type MatchKind = 'exact' | 'same-query' | 'volatile-query' | 'overlap';

export interface Match {
  readonly entry: ArchiveEntry;
  readonly kind: MatchKind;
}

/** Keys by which pages defeat caches, and values that are times or random. */
const volatileKeys =
  /^(_|_t|t|ts|cb|cachebust(er)?|rand(om)?|rnd|nonce|time(stamp)?|now|ord|uuid|guid|cid|sid)$/i;
const volatileValues =
  /^(\d{10}|\d{13}|0\.\d{6,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;
/** Share of equal pairs from which another query of the same path may answer. */
const leastOverlap = 0.5;

/**
 * Answers requests out of an archive's entries. In this order: the same request; the same but for the order of its
 * query; the same but for volatile keys and values, credentials, and the body sent; and of the
 * requests with the same path the one with the best overlap of pairs, from half of them on.
 */
export class RequestMatcher {
  private readonly exact = new Map<string, ArchiveEntry>();
  private readonly byPath = new Map<string, ArchiveEntry[]>();

  constructor(entries: readonly ArchiveEntry[]) {
    for (const entry of entries) {
      this.exact.set(entryKey(entry), entry);
      const path = pathKey(entry);
      this.byPath.set(path, [...(this.byPath.get(path) ?? []), entry]);
    }
  }

  match(request: RequestToMatch): Match | null {
    const exact = this.exact.get(entryKey(request));
    if (exact !== undefined) return { entry: exact, kind: 'exact' };
    const candidates = (this.byPath.get(pathKey(request)) ?? []).filter(
      (entry) => entry.range === request.range,
    );
    const same = candidates.find(
      (entry) => sorted(entry.query) === sorted(request.query) && entry.requestBody === request.requestBody,
    );
    if (same !== undefined) return { entry: same, kind: 'same-query' };
    const wanted = sorted(request.query, true);
    const steady = candidates.find((entry) => sorted(entry.query, true) === wanted);
    if (steady !== undefined) return { entry: steady, kind: 'volatile-query' };
    return bestOverlap(candidates, request);
  }
}

function pathKey(request: { method: string; host: string; path: string }): string {
  // A recorded GET answers a HEAD; the server leaves the body out.
  return [request.method === 'HEAD' ? 'GET' : request.method, request.host, request.path].join(' ');
}

function pairsOf(query: string): string[] {
  return query === '' ? [] : query.split('&');
}

function sorted(query: string, steadyOnly = false): string {
  const pairs = pairsOf(query).filter((pair) => !steadyOnly || !isVolatile(pair));
  return pairs.sort().join('&');
}

function isVolatile(pair: string): boolean {
  const [key = '', value = ''] = pair.split('=', 2);
  return volatileKeys.test(key) || volatileValues.test(value) || isSecretKey(key);
}

function bestOverlap(candidates: readonly ArchiveEntry[], request: RequestToMatch): Match | null {
  const wanted = pairsOf(request.query);
  let best: { entry: ArchiveEntry; share: number } | null = null;
  for (const entry of candidates) {
    const has = new Set(pairsOf(entry.query));
    const equal = wanted.filter((pair) => has.has(pair)).length;
    const share = equal / Math.max(wanted.length, has.size);
    if (share >= leastOverlap && share > (best?.share ?? 0)) best = { entry, share };
  }
  return best === null ? null : { entry: best.entry, kind: 'overlap' };
}
