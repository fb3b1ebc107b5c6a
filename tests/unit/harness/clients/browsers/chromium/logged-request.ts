import type { LoggedRequest } from '../../../../../../harness/clients/browsers/chromium/network-log.ts';

type Response = NonNullable<LoggedRequest['response']>;

/** When the requests of these tests begin, on the browser's monotonic clock and in wall time. */
export const startSeconds = 100;
export const startEpochSeconds = 1_700_000_000;

/** An answer over h3 on connection 7, first byte after 15 ms. */
export function responseTo(url: string): Response {
  return {
    requestId: url,
    timestamp: startSeconds + 0.015,
    type: 'Script',
    response: {
      url,
      status: 200,
      statusText: '',
      headers: {},
      mimeType: 'text/javascript',
      protocol: 'h3',
      connectionId: 7,
      remoteIPAddress: '127.0.0.1',
      timing: {
        requestTime: startSeconds,
        dnsStart: -1,
        dnsEnd: -1,
        connectStart: -1,
        connectEnd: -1,
        sslStart: -1,
        sslEnd: -1,
        sendStart: 1,
        sendEnd: 1,
        receiveHeadersEnd: 15,
      },
    },
  } as unknown as Response;
}

export interface LoggedRequestParts {
  readonly initiator?: 'other' | 'parser';
  readonly finishedAfterMs?: number;
  readonly failed?: string;
}

/** A request as the log keeps it: answered; finished or failed if so asked, else under way. */
export function loggedRequest(url: string, parts: LoggedRequestParts): LoggedRequest {
  const { initiator = 'parser', finishedAfterMs, failed } = parts;
  const sent = {
    requestId: url,
    timestamp: startSeconds,
    wallTime: startEpochSeconds,
    initiator: { type: initiator },
    request: { url, method: 'GET', headers: {}, initialPriority: 'High' },
    type: 'Script',
  } as unknown as LoggedRequest['sent'];
  const timestamp = startSeconds + (finishedAfterMs ?? 0) / 1000;
  return {
    sent,
    response: responseTo(url),
    decodedBytes: 1000,
    encodedBytes: 1010,
    lastDataSeconds: startSeconds + 0.02,
    ...(finishedAfterMs === undefined
      ? {}
      : { finished: { requestId: url, timestamp, encodedDataLength: 1100 } }),
    ...(failed === undefined
      ? {}
      : { failed: { requestId: url, timestamp: startSeconds + 0.01, type: 'Script', errorText: failed } }),
  };
}
