import type { Protocol } from 'puppeteer-core';
import type { LoggedRequest } from './network-log.ts';
import type { TimelineEntry } from '../../../../src/core/model/timeline.ts';

/** Two clocks of one machine tell of one request: the browser's events and the page's Resource Timing. */
const sameRequestMs = 50;

/**
 * Completes a log that was cut short while bodies were under way (see `ChromiumSession.sessionResult`): requests
 * whose end was not logged get it from Resource Timing, requests that were not logged at all are made from it.
 * Both tell the protocol that the connection negotiated; an empty one stays `unknown`.
 */
export function withResourceTimings(
  logged: readonly LoggedRequest[],
  rows: readonly TimelineEntry[],
  timeOriginEpochMs: number,
): LoggedRequest[] {
  const [first] = logged;
  if (first === undefined) return [...logged];
  const epochOfMonotonicSeconds = first.sent.wallTime - first.sent.timestamp;
  const requests = [...logged];
  for (const row of rows) {
    const wallTime = (timeOriginEpochMs + row.startMs) / 1000;
    const timestamp = wallTime - epochOfMonotonicSeconds;
    const known = logged.findIndex(
      ({ sent }) => sent.request.url === row.url && Math.abs(sent.wallTime - wallTime) * 1000 < sameRequestMs,
    );
    const request = logged[known];
    if (request === undefined) requests.push(requestOf(row, requests.length, wallTime, timestamp));
    else if (isUnfinished(request)) requests[known] = finishedBy(request, row);
  }
  return requests;
}

function isUnfinished({ finished, failed, redirect }: LoggedRequest): boolean {
  return finished === undefined && failed === undefined && redirect === undefined;
}

function finishedBy(request: LoggedRequest, row: TimelineEntry): LoggedRequest {
  const { requestId, timestamp, wallTime } = request.sent;
  const made = requestOf(row, 0, wallTime, timestamp);
  return {
    ...made,
    ...request,
    ...ending(row, requestId, timestamp),
    decodedBytes: row.decodedBytes,
    encodedBytes: row.encodedBytes,
  };
}

function ending(
  row: TimelineEntry,
  requestId: string,
  timestamp: number,
): Pick<LoggedRequest, 'finished' | 'failed'> {
  const end = { requestId, timestamp: timestamp + (row.responseEndMs - row.startMs) / 1000 };
  if (row.status === 0)
    return { failed: { ...end, type: 'Fetch', errorText: 'no answer (Resource Timing)' } };
  return { finished: { ...end, encodedDataLength: row.transferBytes } };
}

function requestOf(row: TimelineEntry, index: number, wallTime: number, timestamp: number): LoggedRequest {
  const requestId = `timing-${index}`;
  const initiator: Protocol.Network.Initiator = { type: 'script' };
  const request = { url: row.url, method: 'GET', headers: {}, initialPriority: 'High' };
  const sent = { requestId, request, timestamp, wallTime, initiator, type: 'Fetch' };
  const response = {
    url: row.url,
    status: row.status ?? 200,
    statusText: '',
    headers: {},
    mimeType: 'x-unknown',
    protocol: row.protocol === '' ? 'unknown' : row.protocol,
    encodedDataLength: row.transferBytes,
    timing: timingOf(row, timestamp),
  };
  return {
    sent: sent as LoggedRequest['sent'],
    response: { requestId, timestamp, type: 'Fetch', response } as unknown as LoggedRequest['response'] &
      object,
    ...ending(row, requestId, timestamp),
    decodedBytes: row.decodedBytes,
    encodedBytes: row.encodedBytes,
    lastDataSeconds: 0,
  };
}

/** Moments in ms after `requestTime`; -1 for phases that a reused connection has not. */
function timingOf(row: TimelineEntry, requestTime: number): object {
  const after = (moment: number): number => (moment > 0 ? moment - row.startMs : -1);
  const connected = row.connectEndMs > row.connectStartMs;
  return {
    requestTime,
    dnsStart: connected ? after(row.domainLookupStartMs) : -1,
    connectStart: connected ? after(row.connectStartMs) : -1,
    connectEnd: connected ? after(row.connectEndMs) : -1,
    sslStart: connected ? after(row.secureConnectionStartMs) : -1,
    sslEnd: connected && row.secureConnectionStartMs > 0 ? after(row.connectEndMs) : -1,
    sendStart: after(row.requestStartMs),
    sendEnd: after(row.requestStartMs),
    receiveHeadersEnd: after(row.responseStartMs),
  };
}
