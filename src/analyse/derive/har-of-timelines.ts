import type { ExpectedLoad } from '../../core/model/expected-load.ts';
import type { Har, HarEntry, HarTimings } from '../../core/model/har.ts';
import { isBlocked } from '../../core/model/live-address.ts';
import { alpnByProtocol, protocolOf } from '../../core/model/protocol.ts';
import type { PageTimings, ServerLogEntry, ShownDocument } from '../../core/model/raw-trial.ts';
import { takeNearest } from './take-nearest.ts';
import type { Timeline, TimelineEntry } from '../../core/model/timeline.ts';
import { wireKeyOf, withoutPort } from '../../core/model/wire-address.ts';

/** What a browser that was not recorded left of one load, and what our servers wrote down of it. */
export interface UnrecordedLoad {
  /** What was navigated to. */
  readonly url: string;
  readonly timings: PageTimings | null;
  readonly timelines: readonly Timeline[];
  /** Where the page led on by itself: all its documents. No timeline has the earlier ones. */
  readonly documents?: readonly ShownDocument[] | undefined;
  /** Null where the server is not ours. */
  readonly serverLog: readonly ServerLogEntry[] | null;
  /** Hosts whose requests the server's log must hold. */
  readonly loggedHosts: readonly string[];
  /** Of a recorded site its hosts: the browser reaches no others, and every page may read how they answer. */
  readonly replayedHosts?: readonly string[] | undefined;
  /** What earlier loads had: of requests whose outcome the browser withholds it is the only witness. */
  readonly expected?: ExpectedLoad | undefined;
  /** Addresses of web sockets that a replay refused, as its ledger has them. */
  readonly refusedSockets: readonly string[];
  /** Patterns of addresses that the plan leaves out. */
  readonly blocked: readonly string[];
  /** Who made the HAR, and the browser. */
  readonly software: Pick<Har['log'], 'creator' | 'browser'>;
}

const pageId = 'page_1';
/** How the error of a request begins that its page gave up before it was sent. */
export const givenUpUnsent = 'given up before it was sent';
const noBytes = -1;

/**
 * HAR 1.2 of one load out of the timelines of its documents and workers (https://www.w3.org/TR/resource-timing/) and of our
 * servers' log. `_h2h3.source` of the log is `timeline`, of an entry that no timeline has (a preflight, a favicon, what a worker
 * that has ended asked for) `log`. Statuses and methods are the log's where it has the request.
 */
export function harOfTimelines(load: UnrecordedLoad): Har {
  const { url, timings, software } = load;
  const originEpochMs = timings?.timeOriginEpochMs ?? load.timelines[0]?.timeOriginEpochMs ?? 0;
  return {
    log: {
      version: '1.2',
      ...software,
      _h2h3: { source: 'timeline' },
      pages: [
        {
          id: pageId,
          startedDateTime: new Date(originEpochMs).toISOString(),
          title: url,
          pageTimings: {
            onContentLoad: timings?.domContentLoadedMs ?? null,
            onLoad: timings?.loadEventEndMs ?? null,
          },
        },
      ],
      entries: entriesOf(load),
    },
  };
}

interface TimedRequest {
  readonly entry: TimelineEntry;
  readonly scope: Timeline['scope'];
  readonly startEpochMs: number;
  readonly url: URL;
}

function entriesOf({
  timelines,
  documents,
  serverLog,
  loggedHosts,
  replayedHosts,
  expected,
  refusedSockets,
  blocked,
}: UnrecordedLoad): HarEntry[] {
  const failureOf = recordedFailures(expected);
  const requests = timelines.flatMap(({ scope, timeOriginEpochMs, entries }) =>
    entries.map((entry) => ({
      entry,
      scope,
      startEpochMs: timeOriginEpochMs + entry.startMs,
      url: new URL(entry.url),
    })),
  );
  const log = new Map<string, ServerLogEntry[]>();
  for (const entry of serverLog ?? []) {
    const key = withoutPort(entry.host) + entry.path;
    log.set(key, [...(log.get(key) ?? []), entry]);
  }
  const logged = serverLog === null ? null : new Set(loggedHosts.map((host) => host.toLowerCase()));
  const ofWorkers = requests.filter(({ scope }) => scope === 'worker');
  const askedByWorkers = new Set(ofWorkers.map(({ url }) => url.href));
  const entries = inOrderOfClaim(requests).map((request) => {
    const known = takeNearest(
      log.get(wireKeyOf(request.url)) ?? [],
      request.startEpochMs,
      request.entry.status,
    );
    const { hostname, href } = request.url;
    return harEntryOf(request, known, {
      isTold: replayedHosts !== undefined || (logged?.has(hostname) ?? false),
      isReplayed: replayedHosts?.includes(hostname) ?? false,
      isAskedByWorker: askedByWorkers.has(href),
      isLeftOut: isBlocked(href, blocked),
      recordedFailure: failureOf(request.url),
    });
  });
  const sockets = new Set(refusedSockets.map(wireKeyOf));
  const earlier = (documents ?? []).slice(0, -1).map((document) => {
    const url = new URL(document.url);
    const known = takeNearest(log.get(wireKeyOf(url)) ?? [], document.askedEpochMs, null);
    return known === undefined ? unloggedDocument(document) : loggedEntry(known, 'document');
  });
  const left = [...log].flatMap(([key, unclaimed]) =>
    unclaimed.map((entry) => loggedEntry(entry, sockets.has(key) ? 'websocket' : typeOfLogged(entry))),
  );
  return [...entries, ...earlier, ...left].toSorted((a, b) => moment(a) - moment(b));
}

const moment = ({ startedDateTime }: HarEntry): number => Date.parse(startedDateTime);

/**
 * A request that a service worker answered stands in two timelines and, if the worker asked the server, in the log once: the
 * worker's own request it is. What came from a cache stands in no log.
 */
function inOrderOfClaim(requests: readonly TimedRequest[]): readonly TimedRequest[] {
  const rank = ({ scope, entry }: TimedRequest): number => {
    if (entry.delivery === 'cache') return 3;
    if (entry.workerStartMs > 0 && scope !== 'worker') return 2;
    return scope === 'worker' ? 0 : 1;
  };
  return requests.toSorted((a, b) => rank(a) - rank(b) || a.startEpochMs - b.startEpochMs);
}

function harEntryOf(
  { entry, startEpochMs, scope }: TimedRequest,
  known: ServerLogEntry | undefined,
  place: RequestOrigin,
): HarEntry {
  const httpVersion = alpnOf(protocolNameOf(entry, known));
  // A worker's own request is none that a worker answered.
  const fromServiceWorker = known === undefined && scope !== 'worker' && isServiceWorkers(entry, place);
  const fromCache = known === undefined && !fromServiceWorker && isCached(entry);
  const error = errorOf(entry, known, { ...place, cameWithoutServer: fromCache || fromServiceWorker });
  return {
    pageref: pageId,
    startedDateTime: isoMoment(startEpochMs),
    // A frame that another page took the place of has no end.
    time: Math.max(0, entry.responseEndMs - entry.startMs),
    request: requestOf(known?.method ?? 'GET', entry.url, httpVersion),
    response: {
      ...responseOf(statusOf(entry, known, error), httpVersion, {
        encodedBytes: bodyBytesOf(entry, known),
        decodedBytes: entry.decodedBytes,
      }),
      ...(entry.transferBytes === 0 ? {} : { _transferSize: entry.transferBytes }),
      ...(error === undefined ? {} : { _error: error }),
    },
    cache: {},
    timings: timingsOf(entry),
    ...(known?.connection === undefined ? {} : { connection: known.connection }),
    _initiator: { type: entry.initiator },
    _resourceType: entry.initiator === 'navigation' ? 'document' : entry.initiator,
    ...(fromCache ? { _fromCache: true } : {}),
    ...(fromServiceWorker ? { _fromServiceWorker: true } : {}),
    _h2h3: { source: 'timeline', scope },
  };
}

/**
 * As the browser names it. What it withholds is the log's, but for an answer of which it tells sizes and no protocol: our servers let
 * every page read both, so that is an answer that none of them sent.
 */
function protocolNameOf(entry: TimelineEntry, known: ServerLogEntry | undefined): string {
  const { protocol, transferBytes, encodedBytes, workerStartMs, delivery } = entry;
  if (protocol !== '') return protocol;
  const isFromNetwork = transferBytes > 0 && encodedBytes > 0 && workerStartMs === 0 && delivery === '';
  return isFromNetwork ? '' : (known?.protocol ?? '');
}

/**
 * Whether a cache answered the request, which never came to a server. A request without an entry in the log of which nothing
 * says so stays one that the log lacks.
 */
function isCached({ delivery, initiator, transferBytes, encodedBytes }: TimelineEntry): boolean {
  // What an early hint named was fetched for this very load, and waits in the cache for who asks for it.
  if (initiator === 'early-hints') return false;
  return delivery === 'cache' || (transferBytes === 0 && encodedBytes > 0);
}

/**
 * Whether a service worker answered a request that no server of ours had. Firefox does not say that one was asked, but has an
 * answer of no size then; a request that failed has no status. Where no log says what came to a server, a worker answered what
 * it asked for itself, and what took nothing from the network.
 */
function isServiceWorkers(
  { workerStartMs, status, transferBytes, encodedBytes }: TimelineEntry,
  { isTold, isAskedByWorker }: RequestOrigin,
): boolean {
  const isAnswered = status !== null && status >= 200;
  if (!isTold) return workerStartMs > 0 && isAnswered && (transferBytes === 0 || isAskedByWorker);
  return workerStartMs > 0 || (isAnswered && transferBytes === 0 && encodedBytes === 0);
}

interface RequestOrigin {
  /** Servers of ours answer for its host: an answer is in their log, or its outcome in the timeline. */
  readonly isTold: boolean;
  /** It is one of a recorded site. */
  readonly isReplayed: boolean;
  /** A worker asked for the same address. */
  readonly isAskedByWorker: boolean;
  /** The plan has the browser leave it out. */
  readonly isLeftOut: boolean;
  /** Why it failed when the browser was recorded; undefined where it did not, or that is not known. */
  readonly recordedFailure: string | undefined;
}

interface Circumstances extends RequestOrigin {
  readonly cameWithoutServer: boolean;
}

/**
 * Why the object counts as failed: it was asked for, and nothing came. Of servers that are not ours the timeline does not say:
 * it shows a failed request like one that was answered by a host without Timing-Allow-Origin. There a recorded load does.
 */
function errorOf(
  { transferBytes, encodedBytes, requestStartMs, responseStartMs, status }: TimelineEntry,
  known: ServerLogEntry | undefined,
  { cameWithoutServer, isTold, isReplayed, isLeftOut, recordedFailure }: Circumstances,
): string | undefined {
  const isEmpty = transferBytes === 0 && encodedBytes === 0;
  if (cameWithoutServer || !isEmpty) return undefined;
  if (isLeftOut) return 'left out by the plan';
  if (known === undefined) {
    if (!isTold) return recordedFailure;
    // Its server was there, and was not asked.
    return isReplayed ? `${givenUpUnsent} (Resource Timing)` : 'no answer (Resource Timing)';
  }
  // Asked for, as far as the browser says, and never answered, whatever the server sent.
  const isUnanswered = requestStartMs > 0 && responseStartMs === 0 && status === 0;
  return isUnanswered && known.bytes > 0 ? 'the answer did not reach the page (Resource Timing)' : undefined;
}

/**
 * Why a request failed in a recorded load. Of an address that none had, what its host did tells: where nothing of a host came, nothing
 * comes from it.
 */
function recordedFailures(expected: ExpectedLoad | undefined): (url: URL) => string | undefined {
  if (expected?.isRecorded !== true) return () => undefined;
  const byUrl = new Map(expected.requests.map((request) => [request.url, request]));
  const byHost = Map.groupBy(expected.requests, ({ url }) => new URL(url).host);
  return ({ href, host }) => {
    const same = byUrl.get(href.replace(/#.*$/, ''));
    if (same !== undefined) return same.error && `${same.error} (when it was recorded)`;
    const ofHost = byHost.get(host) ?? [];
    const [failed] = ofHost.flatMap(({ error }) => error ?? []);
    return ofHost.every(({ status }) => status <= 0) && failed !== undefined
      ? `${failed} (of its host, when it was recorded)`
      : undefined;
  };
}

/** The log's; a redirected request stands in the timeline with the status of its last answer. */
function statusOf(
  { status }: TimelineEntry,
  known: ServerLogEntry | undefined,
  error: string | undefined,
): number {
  if (error !== undefined) return 0;
  return known?.status ?? (status === null || status === 0 ? 200 : status);
}

/** The log's of a redirected request, of which the timeline has the last answer's body, and where the browser withholds it. */
function bodyBytesOf(entry: TimelineEntry, known: ServerLogEntry | undefined): number {
  // Firefox tells no sizes of another host's frame, and counts its headers all the same.
  const isWithheld = entry.encodedBytes === 0 && entry.decodedBytes === 0;
  if (known === undefined) return isWithheld ? noBytes : entry.encodedBytes;
  const isRedirect = known.status >= 300 && known.status < 400;
  return isRedirect || isWithheld ? known.bytes : entry.encodedBytes;
}

/** A request of which only the server knows. */
function loggedEntry(entry: ServerLogEntry, resourceType: string): HarEntry {
  const httpVersion = alpnOf(entry.protocol);
  return {
    pageref: pageId,
    startedDateTime: isoMoment(entry.startEpochMs),
    time: entry.durationMs,
    request: requestOf(entry.method, `https://${entry.host}${entry.path}`, httpVersion),
    response: responseOf(entry.status, httpVersion, {
      encodedBytes: entry.bytes,
      decodedBytes: entry.bytes,
    }),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: entry.durationMs },
    ...(entry.connection === undefined ? {} : { connection: entry.connection }),
    _resourceType: resourceType,
    _h2h3: { source: 'log' },
  };
}

/** A document that led on to the next one, from a server that is not ours: that it was shown is all that is known. */
function unloggedDocument({ url, askedEpochMs }: ShownDocument): HarEntry {
  const httpVersion = alpnOf('');
  return {
    pageref: pageId,
    startedDateTime: isoMoment(askedEpochMs),
    time: 0,
    request: requestOf('GET', url, httpVersion),
    response: responseOf(200, httpVersion, { encodedBytes: noBytes, decodedBytes: noBytes }),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 },
    _resourceType: 'document',
    _h2h3: { source: 'timeline', scope: 'page' },
  };
}

/** A web socket is answered by 101 over HTTP/1.1 (RFC 6455) and opened by CONNECT over HTTP/2 and 3 (RFC 8441, RFC 9220). */
function typeOfLogged({ method, status, messages }: ServerLogEntry): string {
  if (messages !== undefined) return messages.over;
  if (status === 101 || method === 'CONNECT') return 'websocket';
  return method === 'OPTIONS' ? 'preflight' : 'other';
}

function alpnOf(name: string): string {
  const protocol = protocolOf(name);
  return protocol === undefined ? 'unknown' : alpnByProtocol[protocol];
}

const isoMoment = (epochMs: number): string => new Date(epochMs).toISOString();

function requestOf(method: string, url: string, httpVersion: string): HarEntry['request'] {
  return {
    method,
    url,
    httpVersion,
    cookies: [],
    headers: [],
    queryString: [],
    headersSize: noBytes,
    bodySize: noBytes,
  };
}

function responseOf(
  status: number,
  httpVersion: string,
  { encodedBytes, decodedBytes }: { readonly encodedBytes: number; readonly decodedBytes: number },
): HarEntry['response'] {
  return {
    status,
    statusText: '',
    httpVersion,
    cookies: [],
    headers: [],
    redirectURL: '',
    headersSize: noBytes,
    content: { size: decodedBytes, mimeType: 'x-unknown' },
    bodySize: encodedBytes,
  };
}

/** Phases in ms; -1 for what did not happen, or is withheld. */
function timingsOf(entry: TimelineEntry): HarTimings {
  const span = (startMs: number, endMs: number): number =>
    startMs > 0 && endMs >= startMs ? endMs - startMs : -1;
  const isNew = entry.connectEndMs > entry.connectStartMs;
  const connect = isNew ? span(entry.connectStartMs, entry.connectEndMs) : -1;
  const receivedFromMs = entry.responseStartMs || entry.requestStartMs || entry.startMs;
  return {
    blocked: Math.max(0, entry.requestStartMs - entry.startMs - Math.max(0, connect)),
    dns: -1,
    connect,
    ssl: isNew ? span(entry.secureConnectionStartMs, entry.connectEndMs) : -1,
    send: 0,
    wait: Math.max(0, span(entry.requestStartMs, entry.responseStartMs)),
    receive: Math.max(0, span(receivedFromMs, entry.responseEndMs)),
  };
}
