import type { Har, HarEntry, HarHeader, HarTimings } from '../../../../src/core/model/har.ts';
import { alpnByProtocol, protocolOf } from '../../../../src/core/model/protocol.ts';
import { harSoftware } from '../../har-software.ts';
import type { PageTimings } from '../../../../src/core/model/raw-trial.ts';
import type { RequestRow } from './request-row.ts';

export interface FirefoxPage {
  readonly url: string;
  /** When the navigation was asked for, ms since the epoch: for pages that have no timings. */
  readonly startedEpochMs: number;
  readonly timings: PageTimings | null;
  readonly browser: { readonly name: string; readonly version: string };
}

const pageId = 'page_1';

/** `nsIContentPolicy` types (dom/base/nsIContentPolicy.idl) as Chromium names resource types. */
const resourceTypes: Readonly<Record<number, string>> = {
  2: 'script',
  3: 'image',
  4: 'stylesheet',
  6: 'document',
  7: 'document',
  10: 'ping',
  11: 'xhr',
  14: 'font',
  15: 'media',
  16: 'websocket',
  17: 'cspviolationreport',
  19: 'ping',
  20: 'fetch',
  22: 'manifest',
};

/** HAR 1.2 of one navigation from what Firefox counted (http://www.softwareishard.com/blog/har-12-spec/). */
export function harOfRows(page: FirefoxPage, rows: readonly RequestRow[]): Har {
  const startedEpochMs = page.timings?.timeOriginEpochMs ?? page.startedEpochMs;
  const entries = rows.filter(reachedTheNetworkOrFailed).map(entryOf);
  entries.sort((left, right) => left.startedDateTime.localeCompare(right.startedDateTime));
  return {
    log: {
      version: '1.2',
      ...harSoftware(page.browser, 'captured by what Firefox counts of its channels'),
      pages: [
        {
          id: pageId,
          startedDateTime: isoTime(startedEpochMs * 1000),
          title: page.url,
          pageTimings: {
            onContentLoad: page.timings === null ? null : page.timings.domContentLoadedMs,
            onLoad:
              page.timings === null || page.timings.loadEventEndMs === 0 ? null : page.timings.loadEventEndMs,
          },
        },
      ],
      entries,
    },
  };
}

/** Redirects inside the browser (to HTTPS, to a service worker) are channels of their own that send no request. */
function reachedTheNetworkOrFailed(row: RequestRow): boolean {
  return !(row.outcome === 'NS_BINDING_REDIRECTED' && (row.status === null || row.transferSize === 0));
}

function entryOf(row: RequestRow): HarEntry {
  const protocol = protocolOf(row.protocol);
  const httpVersion = protocol === undefined ? row.protocol : alpnByProtocol[protocol];
  const timings = timingsOf(row);
  const error = errorOf(row);
  const connection = row.localPort === 0 ? '' : `${protocol === 'h3' ? 'udp' : 'tcp'}:${row.localPort}`;
  return {
    pageref: pageId,
    startedDateTime: isoTime(row.openedMicros),
    time: durationOf(timings),
    request: {
      method: row.method,
      url: row.url,
      httpVersion,
      cookies: [],
      headers: harHeaders(row.requestHeaders),
      queryString: [...new URL(row.url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: row.requestSize > 0 ? row.requestSize : -1,
      bodySize: Number(headerOf(row.requestHeaders, 'content-length') ?? 0),
    },
    response: {
      status: row.status ?? 0,
      statusText: row.statusText,
      httpVersion,
      cookies: [],
      headers: harHeaders(row.responseHeaders),
      // Firefox does not always say the decoded size; then the encoded one is the best that is known.
      content: { size: row.decodedBodySize || row.encodedBodySize, mimeType: row.contentType },
      redirectURL: headerOf(row.responseHeaders, 'location') ?? '',
      headersSize: row.fromCache ? -1 : Math.max(0, row.transferSize - row.encodedBodySize),
      bodySize: row.fromCache ? 0 : row.encodedBodySize,
      _transferSize: row.fromCache ? 0 : row.transferSize,
      ...(error === null ? {} : { _error: error }),
    },
    cache: {},
    timings,
    connection,
    serverIPAddress: row.remoteAddress,
    _initiator: { type: row.initiatorType },
    _resourceType: resourceTypes[row.contentPolicyType] ?? 'other',
    ...(row.fromCache ? { _fromCache: true } : {}),
    ...(isServiceWorkers(row) ? { _fromServiceWorker: true } : {}),
  };
}

/** Whether something in the browser answered that is no cache: there was no connection, and nothing was received. */
function isServiceWorkers({ outcome, status, fromCache, localPort, transferSize }: RequestRow): boolean {
  return outcome === 'NS_OK' && status !== null && !fromCache && localPort === 0 && transferSize === 0;
}

/**
 * Null for an exchange that ended well. Firefox drops some objects after it has them whole (a service worker's
 * script once it is compared, an unread body): those were not failures of the network.
 */
function errorOf(row: RequestRow): string | null {
  if (row.outcome === 'NS_OK' || row.outcome === 'NS_BINDING_REDIRECTED') return null;
  if (row.outcome === 'UNFINISHED') return 'incomplete when the measurement ended';
  const announced = headerOf(row.responseHeaders, 'content-length');
  const isWorkerScript = headerOf(row.requestHeaders, 'service-worker') === 'script';
  const whole = announced === undefined ? isWorkerScript : Number(announced) === row.encodedBodySize;
  return row.outcome === 'NS_BINDING_ABORTED' && row.status !== null && whole ? null : row.outcome;
}

/** Phases in ms; -1 for what did not happen for this object (HAR 1.2 `timings`). `ssl` lies within `connect`. */
function timingsOf(row: RequestRow): HarTimings {
  const dns = span(row.dnsStartMicros, row.dnsEndMicros);
  const connect = span(row.connectStartMicros, row.connectEndMicros);
  const firstSentMicros = row.requestStartMicros || row.responseStartMicros || row.stoppedMicros;
  const spentMs = Math.max(0, dns) + Math.max(0, connect);
  const blocked = Math.max(0, (firstSentMicros - row.openedMicros) / 1000 - spentMs);
  return {
    blocked,
    dns,
    connect,
    ssl: span(row.tlsStartMicros, row.connectEndMicros),
    send: 0,
    wait: Math.max(0, span(row.requestStartMicros, row.responseStartMicros)),
    receive: Math.max(0, span(row.responseStartMicros, row.responseEndMicros || row.stoppedMicros)),
  };
}

function span(startMicros: number, endMicros: number): number {
  return startMicros > 0 && endMicros >= startMicros ? (endMicros - startMicros) / 1000 : -1;
}

function durationOf(timings: HarTimings): number {
  const phases = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive];
  return phases.reduce<number>((sum, phase) => sum + Math.max(0, phase ?? 0), 0);
}

function isoTime(epochMicros: number): string {
  const epochMs = Math.floor(epochMicros / 1000);
  const micros = Math.round(epochMicros - epochMs * 1000);
  return new Date(epochMs).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}

function harHeaders(headers: RequestRow['requestHeaders']): HarHeader[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function headerOf(headers: RequestRow['requestHeaders'], name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}
