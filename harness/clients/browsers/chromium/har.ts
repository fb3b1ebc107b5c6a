import { fromLog, type LogEvent } from 'chrome-har-capturer';
import type { Har, HarEntry, HarHeader, HarPage } from '../../../../src/core/model/har.ts';
import { harSoftware } from '../../har-software.ts';
import type { HarSoftware } from '../../har-software.ts';
import type { LoggedRequest } from './network-log.ts';

export interface PageEvents {
  readonly url: string;
  /** Timestamps of the events of the main frame on the browser's monotonic clock, seconds; null: not fired. */
  readonly domContentSeconds: number | null;
  readonly loadSeconds: number | null;
  /** `performance.timeOrigin`: when navigation began; null where the page could not be asked. */
  readonly timeOriginEpochMs: number | null;
  readonly browser: HarSoftware;
}

/**
 * HAR 1.2 of everything that went over the network, by chrome-har-capturer. That leaves out what it cannot
 * time (no response, no end, from a cache); here such requests become entries that say what is wrong with
 * them, so that no object can vanish.
 */
export async function harOf(page: PageEvents, logged: readonly LoggedRequest[]): Promise<Har> {
  const requests = logged.map(readToItsEnd);
  const first = requests.find((request) => isDocument(request));
  if (first === undefined) return emptyHar(page);
  const har = (await fromLog(page.url, eventLog(page, first, requests))) as Har;
  const byInitiator = new Map(har.log.entries.map((entry) => [entry._initiator, entry]));
  const pageId = har.log.pages[0]?.id ?? 'page_1';
  const entries: HarEntry[] = [];
  for (const request of requests) {
    if (isReuse(request, requests)) continue;
    // The capturer hands the initiator object through: it identifies the request, as nothing else does.
    const timed = byInitiator.get(request.sent.initiator);
    entries.push(completed(request, timed ?? untimedEntry(request), pageId));
  }
  har.log.entries = entries;
  har.log = { ...har.log, ...harSoftware(page.browser, capturerOf(har)) };
  const [harPage] = har.log.pages;
  if (harPage) setPageTimings(harPage, page, first);
  return har;
}

/**
 * Chromium (123 to 156 tried) reports a fetch that asks or is answered with `no-store` as aborted although the page's
 * script has read all of it. An answer that has no body came whole with its headers; of others the lengths tell: as many
 * bytes came as the response announced. Without a length, or with a content coding, whose encoded size is not told
 * exactly, it stays an abort.
 */
function readToItsEnd(request: LoggedRequest): LoggedRequest {
  const { failed, decodedBytes, encodedBytes } = request;
  if (failed?.errorText !== 'net::ERR_ABORTED' || failed.blockedReason !== undefined) return request;
  const headers = new Map(
    Object.entries(responseOf(request)?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const isNotStored = /no-store/i.test(headers.get('cache-control') ?? '');
  const announced = headers.get('content-length');
  const isRead = isNotStored && !headers.has('content-encoding') && Number(announced) === decodedBytes;
  if (!isRead && !bodiless.has(responseOf(request)?.status ?? 0)) return request;
  const { requestId, timestamp } = failed;
  const read: LoggedRequest = {
    ...request,
    finished: { requestId, timestamp, encodedDataLength: encodedBytes },
  };
  delete read.failed;
  return read;
}

/** RFC 9110, 15.3.5 and 15.3.6: these have no content. */
const bodiless: ReadonlySet<number> = new Set([204, 205]);

/** Page times count from navigation start, as the browser's own do; the first request begins some time later. */
function setPageTimings(harPage: HarPage, page: PageEvents, first: LoggedRequest): void {
  const { wallTime, timestamp } = first.sent;
  const startEpochMs = page.timeOriginEpochMs ?? wallTime * 1000;
  const sinceStartMs = (seconds: number | null): number | null =>
    seconds === null ? null : (wallTime + seconds - timestamp) * 1000 - startEpochMs;
  harPage.startedDateTime = new Date(startEpochMs).toISOString();
  harPage.pageTimings = {
    onContentLoad: sinceStartMs(page.domContentSeconds),
    onLoad: sinceStartMs(page.loadSeconds),
  };
}

function isDocument(request: LoggedRequest): boolean {
  return request.sent.initiator.type === 'other';
}

/** What the capturer calls itself. */
function capturerOf({ log: { creator } }: Har): string {
  return `captured by ${creator.name} ${creator.version}`;
}

function emptyHar({ browser }: PageEvents): Har {
  return {
    log: { version: '1.2', ...harSoftware(browser, 'nothing was requested'), pages: [], entries: [] },
  };
}

/** The events that chrome-har-capturer reads. Each request gets an id of its own, also those of one chain of redirects. */
function eventLog(page: PageEvents, first: LoggedRequest, requests: readonly LoggedRequest[]): LogEvent[] {
  const log = requests.flatMap((request, index) => requestEvents(request, `${index}`, request === first));
  const domContentSeconds = page.domContentSeconds ?? first.sent.timestamp;
  log.push({ method: 'Page.domContentEventFired', params: { timestamp: domContentSeconds } });
  log.push({ method: 'Page.loadEventFired', params: { timestamp: page.loadSeconds ?? domContentSeconds } });
  return log;
}

function requestEvents(request: LoggedRequest, requestId: string, isFirst: boolean): LogEvent[] {
  const { sent, priority, failed, decodedBytes } = request;
  const log: LogEvent[] = [];
  const add = (method: string, params: object): void =>
    void log.push({ method, params: { ...params, requestId } });
  add('Network.requestWillBeSent', { ...sent, redirectResponse: undefined });
  if (priority) add('Network.resourceChangedPriority', priority);
  const response = responseOf(request);
  if (response) add('Network.responseReceived', { response });
  if (decodedBytes > 0) add('Network.dataReceived', { dataLength: decodedBytes });
  const finished = request.finished ?? redirectEnd(request);
  if (finished) add('Network.loadingFinished', finished);
  // A failed main document makes the capturer give up; its entry is made here instead.
  else if (failed && !isFirst) add('Network.loadingFailed', failed);
  return log;
}

function redirectEnd({ redirect }: LoggedRequest): object | undefined {
  if (redirect === undefined) return undefined;
  return {
    timestamp: redirect.timestamp,
    encodedDataLength: redirect.redirectResponse?.encodedDataLength ?? 0,
  };
}

function responseOf(request: LoggedRequest): NonNullable<LoggedRequest['response']>['response'] | undefined {
  const response = request.response?.response ?? request.redirect?.redirectResponse;
  // What an early hint named was fetched for this very load, and waits in the cache for who asks for it.
  return response?.fromEarlyHints === true ? { ...response, fromDiskCache: false } : response;
}

function servedFromCache(request: LoggedRequest): boolean {
  const response = responseOf(request);
  return (
    request.fromMemoryCache === true ||
    response?.fromDiskCache === true ||
    response?.fromPrefetchCache === true
  );
}

/** Whether the page asked again for what it had already fetched in this very load: no object of the network. */
function isReuse(request: LoggedRequest, requests: readonly LoggedRequest[]): boolean {
  if (!servedFromCache(request)) return false;
  const { url } = request.sent.request;
  return requests.some(
    (other) => other.sent.request.url === url && other.finished !== undefined && !servedFromCache(other),
  );
}

function failureOf(request: LoggedRequest): string | null {
  const { failed } = request;
  if (failed)
    return failed.blockedReason ? `${failed.errorText} (${failed.blockedReason})` : failed.errorText;
  if (request.finished || request.redirect) return null;
  return request.response ? 'incomplete when the measurement ended' : 'no answer when the measurement ended';
}

function completed(request: LoggedRequest, entry: HarEntry, pageref: string): HarEntry {
  const error = failureOf(request);
  if (error !== null) entry.response._error = error;
  if (servedFromCache(request)) entry._fromCache = true;
  if (responseOf(request)?.fromServiceWorker === true) entry._fromServiceWorker = true;
  if (isHandedOnUnread(request)) entry.response.content.size = -1;
  if (error !== null && request.cutShort) entry.response._transferSize = -1;
  else entry.response.bodySize = encodedBodyBytes(request, entry, error);
  if (!responseOf(request)?.connectionId) delete entry.connection;
  return { ...entry, pageref };
}

/**
 * Encoded bytes of the body; -1 unknown. Over HTTP/2 and 3 Chromium counts frames and headers into what it received, so
 * the server's own announcement of a whole body comes first, then an uncoded body's size, then what came after the
 * response's head.
 */
function encodedBodyBytes(request: LoggedRequest, entry: HarEntry, error: string | null): number {
  const response = responseOf(request);
  if (response === undefined || request.finished === undefined) return error === null ? 0 : -1;
  const headers = new Map(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const announced = Number(headers.get('content-length') ?? NaN);
  if (error === null && Number.isInteger(announced) && announced >= 0 && entry.request.method !== 'HEAD')
    return announced;
  if (!headers.has('content-encoding') && !isHandedOnUnread(request)) return request.decodedBytes;
  return receivedAfterHead(request);
}

/** Bytes on the wire after the head of the response, with the heads of frames. */
function receivedAfterHead(request: LoggedRequest): number {
  const all = request.finished?.encodedDataLength ?? 0;
  return Math.max(0, all - (responseOf(request)?.encodedDataLength ?? 0));
}

/** More than the frames that end a response without a body. */
const emptyFramesBytes = 32;

/** What a service worker asks for and hands on to its page, Chromium counts for neither (156). */
function isHandedOnUnread(request: LoggedRequest): boolean {
  return request.decodedBytes === 0 && receivedAfterHead(request) > emptyFramesBytes;
}

function headersOf(headers: Readonly<Record<string, string>>): HarHeader[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** An entry for a request that has no complete timing: what is known, -1 for the rest. */
function untimedEntry(request: LoggedRequest): HarEntry {
  const { sent } = request;
  const response = responseOf(request);
  const endSeconds =
    request.finished?.timestamp ?? request.failed?.timestamp ?? (request.lastDataSeconds || sent.timestamp);
  const receivedMs = Math.max(0, (endSeconds - sent.timestamp) * 1000);
  const httpVersion = response?.protocol ?? 'unknown';
  return {
    startedDateTime: new Date(sent.wallTime * 1000).toISOString(),
    time: receivedMs,
    request: {
      method: sent.request.method,
      url: sent.request.url,
      httpVersion,
      headers: headersOf(sent.request.headers),
      headersSize: -1,
      bodySize: -1,
      cookies: [],
      queryString: [],
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      httpVersion,
      headers: headersOf(response?.headers ?? {}),
      content: { size: request.decodedBytes, mimeType: response?.mimeType ?? 'x-unknown' },
      headersSize: -1,
      bodySize: -1,
      _transferSize: request.finished?.encodedDataLength ?? request.encodedBytes,
      cookies: [],
      redirectURL: '',
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: receivedMs },
    ...(response?.connectionId ? { connection: String(response.connectionId) } : {}),
    ...(response?.remoteIPAddress ? { serverIPAddress: response.remoteIPAddress } : {}),
    _initiator: sent.initiator,
    _priority: sent.request.initialPriority,
    _resourceType: sent.type?.toLowerCase() ?? null,
  };
}
