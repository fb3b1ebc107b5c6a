import { isUtf8 } from 'node:buffer';
import { queryOf } from '../archive/address-of.ts';
import { varyOf } from '../archive/clean-exchange.ts';
import { encodeBody } from '../archive/content-coding.ts';
import { headerOf, leadsOn } from '../archive/headers.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';
import { extensionField, readExchangeExtension } from './archive-extension.ts';
import { noHar, readHar, type HarFile, type HarFileEntry } from './read-har.ts';
import { SentBodies } from './sent-bodies.ts';
import { readDate, settledDates } from './settled-dates.ts';
import type { ImportedExchange, PageOfFile } from './start-address.ts';
import { utf8Text } from './utf8-text.ts';
import {
  notFinal,
  notHttp,
  storeImported,
  type ImportChoices,
  type Imported,
  type LeftOut,
} from './store-imported.ts';

export interface ImportHarOptions extends ImportChoices {
  readonly harFile: string;
}

/**
 * Makes an archive of a HAR with bodies (browsers' developer tools, mitmproxy, Playwright's `recordHar` with embedded
 * or attached content). Such a file holds decoded bodies: they are encoded again, so encoded sizes come near the recorded
 * ones only.
 *
 * @throws H2h3Error `bad-input` for a file that is no HAR or holds no bodies, `usage` for a page that it does not hold.
 */
export async function importHar(options: ImportHarOptions): Promise<Imported> {
  const har = readHar(options.harFile);
  const entries = har.entries.filter(({ request: { url } }) => !ofNoServer.test(url));
  const dates = settledDates(
    entries.map(({ request, startedDateTime }) => ({ address: request.url, date: startedDateTime })),
  );
  const roundTrips = roundTripsOf(har.entries);
  const pages = pagesById(har);
  const leftOut: LeftOut[] = [...har.unreadable];
  const failures: { method: string; url: string; reason: string }[] = [];
  const exchanges: ImportedExchange[] = [];
  const whole = new Set(entries.filter((entry) => isWhole(entry, har.files)).map(requestKey));
  const sent = new SentBodies();
  for (const [at, entry] of entries.entries()) {
    const { method, url, headers: requestHeaders } = entry.request;
    const requestBody = sent.of(entry.request, sentBody(entry.request.postData, har.files), entry.response);
    if (brokeOff(entry) && whole.has(requestKey(entry))) {
      leftOut.push({ url, reason: firstAttempt });
      continue;
    }
    if (isUntold(entry) && errorOf(entry) === undefined && har.extension === null) {
      leftOut.push({ url, reason: untold });
      continue;
    }
    if (entry.response.status <= 0 && URL.canParse(url)) {
      failures.push({ method, url, reason: errorOf(entry) ?? 'no answer' });
      if (!wasSent(entry, har)) continue;
    }
    const startMs = Math.max(0, (dates.epochMs[at] ?? dates.firstMs) - dates.firstMs);
    const exchange = await exchangeOf(entry, har.files, { startMs, roundTrips, requestBody });
    if (typeof exchange === 'string') leftOut.push({ url, reason: exchange });
    else {
      const page = pages.get(entry.pageref ?? '');
      exchanges.push({ exchange, requestHeaders, resourceType: entry._resourceType ?? undefined, page });
    }
  }
  const imported = await storeImported(options, {
    file: options.harFile,
    exchanges,
    firstMs: dates.firstMs,
    recorder: `HAR by ${har.creator}`,
    failures,
    lacks: [...lostStreams(har.entries), ...webSockets(har.entries)],
    extension: har.extension,
    leftOut,
    warnings: [
      ...dates.warnings,
      ...warmCacheWarning(har.entries),
      ...unreadWarning(har.entries),
      ...formatWarning(har),
    ],
  });
  if (imported === undefined) throw noHar(options.harFile, 'no answer with a body');
  return imported;
}

/** Addresses that no server answers; those of web sockets are named apart. */
const ofNoServer = /^(data|blob|about|ws|wss|chrome|chrome-extension):/;

/** In the order in which they were opened. */
function pagesById({ pages }: HarFile): ReadonlyMap<string, PageOfFile> {
  const opened = [...pages].sort(
    (a, b) => (readDate(a.startedDateTime) ?? 0) - (readDate(b.startedDateTime) ?? 0),
  );
  return new Map(opened.map(({ id, title }, turn) => [id, { turn, title }]));
}

/** Why an answer did not come, or not whole; undefined where it came. */
function errorOf({ response: { _error, _failureText } }: HarFileEntry): string | undefined {
  return _error ?? _failureText ?? undefined;
}

/** Whether a request without an answer reached a server: one that answered others. */
function wasSent(entry: HarFileEntry, { entries, extension }: HarFile): boolean {
  if (extension !== null) return entry[extensionField] !== undefined;
  const { host } = new URL(entry.request.url);
  return entries.some(
    ({ request, response }) =>
      response.status > 0 && URL.canParse(request.url) && new URL(request.url).host === host,
  );
}

/**
 * How the replay fails as the original did; null: it was answered. What a browser gave up after its answer had begun is
 * answered with what the file holds: held back, it would keep a page waiting that did not wait when it was recorded.
 */
function failureOf(entry: HarFileEntry): 'aborted' | 'broken' | null {
  const { response } = entry;
  if (response.status > 0) {
    if (errorOf(entry) === undefined || leadsOn(response)) return null;
    if (!wasGivenUp(entry)) return 'broken';
    return isEndless(entry) ? 'aborted' : null;
  }
  return wasGivenUp(entry) && !holdsUpLoad(entry) ? 'aborted' : 'broken';
}

/** Parsers wait for these, or the page's load event does, and hardly a page gives them up: its browser went on to another one. */
function holdsUpLoad({ request, _resourceType }: HarFileEntry): boolean {
  const kind = _resourceType ?? headerOf(request.headers, 'sec-fetch-dest') ?? '';
  return /^(script|style(sheet)?|image|font|document|i?frame|object|embed)$/i.test(kind);
}

function wasGivenUp(entry: HarFileEntry): boolean {
  return /abort/i.test(errorOf(entry) ?? '');
}

/**
 * Whether pages read an answer for as long as they like, and then leave it. A film of which the file has nothing is none: the
 * load event of its page would wait for it.
 */
function isEndless(entry: HarFileEntry): boolean {
  const type = headerOf(entry.response.headers, 'content-type') ?? '';
  return /text\/event-stream/i.test(type) || (/^(?:audio|video)\//i.test(type) && !isUnread(entry));
}

/** Playwright writes scripts of shared workers, and what was open at its end, without any answer or error. */
function isUntold({ response, _resourceType }: HarFileEntry): boolean {
  return response.status === -1 && /^script$/i.test(_resourceType ?? '');
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

/** Pages that look at the headers only lack nothing; an event stream does. */
function unreadWarning(entries: readonly HarFileEntry[]): string[] {
  const unread = entries
    .filter(isUnread)
    .map(({ request: { url } }) => (URL.canParse(url) ? new URL(url).host + new URL(url).pathname : url));
  return unread.length === 0
    ? []
    : [
        `${unread.length} answers stand without their bodies in the file, because they had not been read to the end; they are replayed empty: ${unread.join(', ')}`,
      ];
}

/** What no file of another tool says, so that it cannot be named by address. */
function formatWarning({ extension }: HarFile): string[] {
  return extension === null
    ? ['the file does not say where servers paused within a body: its replay has no such pauses']
    : [];
}

function webSockets(entries: readonly HarFileEntry[]): { feature: string; url: string }[] {
  const urls = entries.map(({ request }) => request.url).filter((url) => /^wss?:/.test(url));
  return [...new Set(urls)].map((url) => ({ feature: 'WebSocket', url }));
}

/** Event streams that end with their page have no body in the files of browsers. */
function lostStreams(entries: readonly HarFileEntry[]): { feature: string; url: string }[] {
  const isStream = ({ headers }: HarFileEntry['response']): boolean =>
    headerOf(headers, 'content-type')?.includes('text/event-stream') ?? false;
  return entries
    .filter((entry) => isUnread(entry) && isStream(entry.response))
    .map(({ request: { url } }) => ({ feature: 'EventSource', url }));
}

/** Whether the file lacks the body of an answer because its browser did not read it to the end. */
function isUnread(entry: HarFileEntry): boolean {
  const { method } = entry.request;
  const { status, content } = entry.response;
  const isHeld = content.text !== undefined || content._file !== undefined;
  if (method === 'HEAD' || isHeld || leadsOn(entry.response)) return false;
  return status > 0 && status !== 304 && (content.size === -1 || wasGivenUp(entry));
}

/** Whether it may be a first attempt, which a browser made again: an answer by which a server puts it off is another. */
function brokeOff(entry: HarFileEntry): boolean {
  return isUnread(entry) && (entry.response.status === 200 || wasGivenUp(entry));
}

const noBody = 'the file does not hold its body';
const firstAttempt = 'the file does not hold its body, and holds a whole answer to the same request';
const untold = 'the file holds no answer to it, as Playwright writes the script of a shared worker';

interface Context {
  /** After the first request of the file. */
  readonly startMs: number;
  readonly requestBody: Uint8Array | null;
  readonly roundTrips: ReadonlyMap<string, number>;
}

/** Or the reason why it is none. */
async function exchangeOf(
  entry: HarFileEntry,
  files: HarFile['files'],
  { startMs, roundTrips, requestBody }: Context,
): Promise<RecordedExchange | string> {
  const { request, response } = entry;
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return notHttp;
  if (response.status > 0 && response.status < 200) return notFinal;
  const own = readExchangeExtension(entry[extensionField]);
  const failure = own === null ? failureOf(entry) : own.failure;
  const found = bodyOf(entry, files) ?? (failure === null ? null : Buffer.alloc(0));
  if (found === null) return noBody;
  const text = own === null && found.length > 0 ? decodedText(entry, found) : undefined;
  const { body: stored, headers: answerHeaders } =
    text === undefined
      ? { body: found, headers: response.headers }
      : utf8Text(text, response.headers, response.content.mimeType ?? '');
  const coding = headerOf(response.headers, 'content-encoding') ?? '';
  const isEncoded = stored.length === 0 || coding === '' || own?.bodyAsSent === true;
  const encoded = isEncoded ? stored : await encodeBody(stored, coding);
  const headers = answerHeaders
    // Pseudo-headers belong to HTTP/2 and HTTP/3; an unknown coding cannot be made again.
    .filter(([name]) => !name.startsWith(':'))
    .filter(([name]) => encoded !== null || name.toLowerCase() !== 'content-encoding')
    // Browsers join repeated headers with line feeds.
    .flatMap(([name, value]) => value.split('\n').map((part): [string, string] => [name, inBytes(part)]));
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const waitMs = (entry.timings?.wait ?? 0) - (roundTrips.get(url.host) ?? 0);
  return {
    entry: {
      method: request.method.toUpperCase(),
      scheme,
      host: url.hostname,
      port: Number(url.port === '' ? { https: 443, http: 80 }[scheme] : url.port),
      path: url.pathname,
      ...queryOf(url),
      range: headerOf(request.headers, 'range') ?? '',
      vary: varyOf(headers, (name) => headerOf(request.headers, name)),
      requestType: headerOf(request.headers, 'content-type') ?? request.postData?.mimeType ?? '',
      // What the file's maker was told "not modified" it had, and the file holds it.
      status: response.status === 304 ? 200 : Math.max(0, response.status),
      failure,
      headers,
      startMs,
      waitMs: Math.max(0, waitMs),
      ...(own === null ? {} : { visit: own.visit, hints: own.hints, pauses: own.pauses, waitMs: own.waitMs }),
    },
    requestBody,
    body: encoded ?? stored,
  };
}

const textTypes = /text|json|script|xml|x-www-form-urlencoded/i;

/**
 * What such a file holds of a text is decoded, whatever its charset was, in its files of their own too where Chromium was
 * recorded; bytes of other charsets are no UTF-8.
 */
function decodedText({ response: { content, headers } }: HarFileEntry, found: Buffer): string | undefined {
  if (content.text !== undefined && content._file === undefined)
    return content.encoding === 'base64' ? undefined : content.text;
  const isText = textTypes.test(headerOf(headers, 'content-type') ?? content.mimeType ?? '');
  return isText && isUtf8(found) && !found.includes(0) ? found.toString('utf8') : undefined;
}

/** Null where there was a body and the file does not hold it. */
function bodyOf(entry: HarFileEntry, files: HarFile['files']): Buffer | null {
  const { request, response } = entry;
  const { content, status } = response;
  const attached = content._file === undefined ? undefined : files.get(content._file);
  if (attached !== undefined) return Buffer.from(attached);
  if (content.text !== undefined && content._file === undefined) {
    const text = Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8');
    if (text.length > 0 || status !== 304) return text;
  }
  if (status === 304) return null;
  const isRedirect = status >= 300 && status < 400;
  const hasNone = request.method === 'HEAD' || status === 204 || isRedirect || isUnread(entry);
  return hasNone || headerOf(response.headers, 'content-length') === '0' ? Buffer.alloc(0) : null;
}

function isWhole(entry: HarFileEntry, files: HarFile['files']): boolean {
  const { status } = entry.response;
  return status >= 200 && errorOf(entry) === undefined && !isUnread(entry) && bodyOf(entry, files) !== null;
}

function requestKey({ request: { method, url, postData } }: HarFileEntry): string {
  return [method, url, postData?.text ?? ''].join(' ');
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

/** A header's value as bytes, one a character: some writers decode them as UTF-8. */
function inBytes(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}
