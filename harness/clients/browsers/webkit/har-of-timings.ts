import type { Har, HarEntry, HarTimings } from '../../../../src/model/har.ts';
import { alpnByProtocol, protocolOf } from '../../../../src/model/protocol.ts';
import type { PageTimings } from '../../../../src/model/raw-trial.ts';
import { harSoftware, type HarSoftware } from '../../har-software.ts';
import type { ResourceTimingRow } from '../chromium/resource-timing-row.ts';

interface TimedPage {
  readonly url: string;
  readonly timings: PageTimings | null;
  readonly browser: HarSoftware;
}

const pageId = 'page_1';
const noBytes = -1;

/** HAR 1.2 of one load out of what the page's own Resource Timing kept (https://www.w3.org/TR/resource-timing/). */
export function harOfTimings({ url, timings, browser }: TimedPage, rows: readonly ResourceTimingRow[]): Har {
  const originEpochMs = timings?.timeOriginEpochMs ?? 0;
  return {
    log: {
      version: '1.2',
      ...harSoftware(browser, "out of the page's own Resource Timing"),
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
      entries: rows.map((row) => entryOf(row, originEpochMs)),
    },
  };
}

function entryOf(row: ResourceTimingRow, originEpochMs: number): HarEntry {
  const protocol = protocolOf(row.protocol);
  const httpVersion = protocol === undefined ? 'unknown' : alpnByProtocol[protocol];
  const timings = timingsOf(row);
  // An object is kept when it came; another host's may withhold how.
  const status = row.status === null || row.status === 0 ? 200 : row.status;
  return {
    pageref: pageId,
    startedDateTime: new Date(originEpochMs + row.startMs).toISOString(),
    time: row.responseEndMs - row.startMs,
    request: {
      ...{ method: 'GET', url: row.url, httpVersion, cookies: [], headers: [], queryString: [] },
      ...{ headersSize: noBytes, bodySize: 0 },
    },
    response: {
      ...{ status, statusText: '', httpVersion, cookies: [], headers: [], redirectURL: '' },
      content: { size: row.decodedBytes, mimeType: 'x-unknown' },
      headersSize: noBytes,
      bodySize: row.encodedBytes === 0 ? noBytes : row.encodedBytes,
      ...(row.transferBytes === 0 ? {} : { _transferSize: row.transferBytes }),
    },
    cache: {},
    timings,
    _initiator: { type: row.initiator },
    _resourceType: row.initiator === 'navigation' ? 'document' : row.initiator,
  };
}

/** Phases in ms; -1 for what did not happen, or is withheld. */
function timingsOf(row: ResourceTimingRow): HarTimings {
  const span = (startMs: number, endMs: number): number =>
    startMs > 0 && endMs >= startMs ? endMs - startMs : -1;
  const connect = row.connectEndMs > row.connectStartMs ? span(row.connectStartMs, row.connectEndMs) : -1;
  return {
    blocked: Math.max(0, row.requestStartMs - row.startMs - Math.max(0, connect)),
    dns: -1,
    connect,
    ssl: connect < 0 ? -1 : span(row.secureConnectionStartMs, row.connectEndMs),
    send: 0,
    wait: Math.max(0, span(row.requestStartMs, row.responseStartMs)),
    receive: Math.max(0, span(row.responseStartMs || row.startMs, row.responseEndMs)),
  };
}
