import type { ArchiveIndex } from '../archive/archive-index.ts';
import { varyOf } from '../archive/clean-exchange.ts';
import { encodeBody } from '../archive/content-coding.ts';
import { storeArchive, type ArchiveChoices } from '../archive/store-archive.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';
import { noHar, readHar, type HarFile, type HarFileEntry } from './read-har.ts';
import { startAddress } from './start-address.ts';

export interface ImportHarOptions extends ArchiveChoices {
  readonly harFile: string;
}

export interface Imported {
  readonly index: ArchiveIndex;
  /** Addresses that the file has no body for although their answers had one, or that never got an answer. */
  readonly skipped: readonly string[];
  /** What a reader must know of how true the archive is. */
  readonly warnings: readonly string[];
}

/**
 * Makes an archive of a HAR with bodies (browsers' developer tools, mitmproxy, Playwright's `recordHar` with embedded
 * or attached content). Such a file holds decoded bodies: they are encoded again, so encoded sizes come near the recorded
 * ones only.
 *
 * @throws H2h3Error `bad-input` for a file that is no HAR or holds no bodies.
 */
export async function importHar(options: ImportHarOptions): Promise<Imported> {
  const har = await readHar(options.harFile);
  const firstMs = Math.min(...har.entries.map(startOf));
  const roundTrips = roundTripsOf(har.entries);
  const skipped: string[] = [];
  const failures: { method: string; url: string; reason: string }[] = [];
  const exchanges: RecordedExchange[] = [];
  for (const entry of har.entries) {
    const { method, url } = entry.request;
    if (/^(data|blob|about|ws|wss|chrome|chrome-extension):/.test(url)) continue;
    if (entry.response.status <= 0 && URL.canParse(url)) {
      failures.push({ method, url, reason: entry.response._error ?? 'no answer' });
      continue;
    }
    const exchange = await exchangeOf(entry, har.files, { firstMs, roundTrips });
    if (exchange === null) skipped.push(url);
    else exchanges.push(exchange);
  }
  const start = startAddress(exchanges);
  if (start === undefined) throw noHar(options.harFile, 'no answer with a body');
  const head = {
    urls: [start],
    recordedAt: new Date(firstMs).toISOString(),
    recorder: `HAR by ${har.creator}`,
    complete: true,
    failures,
  };
  const stored = await storeArchive(options, head, exchanges);
  return {
    index: stored.index,
    skipped: [...skipped, ...stored.skipped],
    warnings: [...warmCacheWarning(har.entries), ...plainHttpWarning(exchanges)],
  };
}

/** What came out of the recording browser's cache was not sent by any server then: sizes and times are not those of a first visit. */
function warmCacheWarning(entries: readonly HarFileEntry[]): string[] {
  const cached = entries.filter(
    ({ response, _fromCache }) =>
      response.status === 304 || (_fromCache !== undefined && _fromCache !== null),
  );
  return cached.length === 0
    ? []
    : [
        `${cached.length} answers came out of a warm cache when the file was made: save it from a fresh profile, or with the cache switched off`,
      ];
}

export function plainHttpWarning(exchanges: readonly RecordedExchange[]): string[] {
  const plain = exchanges.filter(({ entry }) => entry.scheme === 'http');
  return plain.length === 0
    ? []
    : [`${plain.length} answers came over plain http: they are replayed over TLS`];
}

interface Times {
  readonly firstMs: number;
  readonly roundTrips: ReadonlyMap<string, number>;
}

async function exchangeOf(
  entry: HarFileEntry,
  files: HarFile['files'],
  { firstMs, roundTrips }: Times,
): Promise<RecordedExchange | null> {
  const { request, response } = entry;
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || response.status < 200) return null;
  const decoded = bodyOf(entry, files);
  if (decoded === null) return null;
  const coding = valueOf(response.headers, 'content-encoding') ?? '';
  const encoded = decoded.length === 0 || coding === '' ? decoded : await encodeBody(decoded, coding);
  const headers = response.headers
    // Pseudo-headers belong to HTTP/2 and HTTP/3; an unknown coding cannot be made again.
    .filter(({ name }) => !name.startsWith(':'))
    .filter(({ name }) => encoded !== null || name.toLowerCase() !== 'content-encoding')
    // Browsers join repeated headers with line feeds.
    .flatMap(({ name, value }) => value.split('\n').map((part): [string, string] => [name, inBytes(part)]));
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const waitMs = (entry.timings?.wait ?? 0) - (roundTrips.get(url.host) ?? 0);
  return {
    entry: {
      method: request.method.toUpperCase(),
      scheme,
      host: url.hostname,
      port: Number(url.port === '' ? { https: 443, http: 80 }[scheme] : url.port),
      path: url.pathname,
      query: url.search.slice(1),
      range: valueOf(request.headers, 'range') ?? '',
      vary: varyOf(headers, (name) => valueOf(request.headers, name)),
      requestType: valueOf(request.headers, 'content-type') ?? request.postData?.mimeType ?? '',
      // What the file's maker was told "not modified" it had, and the file holds it.
      status: response.status === 304 ? 200 : response.status,
      headers,
      startMs: Math.max(0, startOf(entry) - firstMs),
      waitMs: Math.max(0, waitMs),
    },
    requestBody: sentBody(request.postData, files),
    body: encoded ?? decoded,
  };
}

/** Null where there was a body and the file does not hold it. */
function bodyOf({ request, response }: HarFileEntry, files: HarFile['files']): Buffer | null {
  const { content, status } = response;
  const attached = content._file === undefined ? undefined : files.get(content._file);
  if (attached !== undefined) return Buffer.from(attached);
  if (content.text !== undefined && content._file === undefined) {
    const text = Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8');
    if (text.length > 0 || status !== 304) return text;
  }
  if (status === 304) return null;
  const isRedirect = status >= 300 && status < 400;
  const hasNone = request.method === 'HEAD' || status === 204 || isRedirect;
  return hasNone || valueOf(response.headers, 'content-length') === '0' ? Buffer.alloc(0) : null;
}

function sentBody(postData: HarFileEntry['request']['postData'], files: HarFile['files']): Uint8Array | null {
  if (postData === undefined) return null;
  const attached = postData._file === undefined ? undefined : files.get(postData._file);
  if (attached !== undefined) return attached;
  if (postData.text !== undefined)
    return Buffer.from(postData.text, postData._encoding === 'base64' ? 'base64' : 'utf8');
  const pairs = postData.params?.map(({ name, value = '' }): [string, string] => [name, value]) ?? [];
  return pairs.length === 0 ? null : Buffer.from(new URLSearchParams(pairs).toString());
}

/** Milliseconds of the way to each server and back: what TCP took of the connections that were made. */
function roundTripsOf(entries: readonly HarFileEntry[]): Map<string, number> {
  const byHost = new Map<string, number>();
  for (const { request, timings } of entries) {
    const roundTripMs = (timings?.connect ?? -1) - Math.max(0, timings?.ssl ?? 0);
    if (roundTripMs <= 0 || !URL.canParse(request.url)) continue;
    const { host } = new URL(request.url);
    byHost.set(host, Math.min(roundTripMs, byHost.get(host) ?? Infinity));
  }
  return byHost;
}

function startOf({ startedDateTime }: HarFileEntry): number {
  const epochMs = Date.parse(startedDateTime);
  return Number.isNaN(epochMs) ? 0 : epochMs;
}

/** A header's value as bytes, one a character: some writers decode them as UTF-8. */
function inBytes(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

function valueOf(headers: readonly { name: string; value: string }[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}
