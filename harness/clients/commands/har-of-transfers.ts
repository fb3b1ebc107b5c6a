import type { Har, HarEntry } from '../../../src/core/model/har.ts';
import { harSoftware } from '../har-software.ts';
import type { CommandTransfer } from './command-client.ts';

interface Transfers {
  readonly name: string;
  readonly version: string;
  readonly startedEpochMs: number;
  readonly method: 'GET' | 'POST';
  readonly transfers: readonly CommandTransfer[];
}

function entryOf(
  transfer: CommandTransfer,
  { method, startedEpochMs }: Pick<Transfers, 'method' | 'startedEpochMs'>,
): HarEntry {
  const { connectStartMs, connectEndMs, requestStartMs, responseStartMs, endMs } = transfer;
  const connected = connectEndMs > 0;
  // HAR's ssl is part of connect; these clients tell of both together.
  const timings = {
    blocked: connected ? connectStartMs : requestStartMs,
    dns: -1,
    connect: connected ? connectEndMs - connectStartMs : -1,
    ssl: -1,
    send: connected ? Math.max(0, requestStartMs - connectEndMs) : 0,
    wait: Math.max(0, responseStartMs - requestStartMs),
    receive: Math.max(0, endMs - responseStartMs),
  };
  const { headerBytes, bodyBytes } = transfer;
  return {
    startedDateTime: new Date(startedEpochMs).toISOString(),
    time: endMs,
    request: {
      method,
      url: transfer.url,
      httpVersion: transfer.protocol,
      headers: [],
      headersSize: -1,
      bodySize: transfer.sentBytes ?? 0,
      cookies: [],
      queryString: [...new URL(transfer.url).searchParams].map(([name, value]) => ({ name, value })),
    },
    response: {
      status: transfer.status,
      statusText: '',
      httpVersion: transfer.protocol,
      headers: [],
      content: { size: bodyBytes, mimeType: transfer.mimeType },
      headersSize: headerBytes ?? -1,
      bodySize: bodyBytes,
      cookies: [],
      redirectURL: '',
      ...(transfer.error === undefined ? {} : { _error: transfer.error }),
    },
    cache: {},
    timings,
  };
}

/** What a command-line client told of its transfers, as HAR 1.2; headers and cookies it does not tell. */
export function harOfTransfers({ name, version, transfers, ...about }: Transfers): Har {
  return {
    log: {
      version: '1.2',
      ...harSoftware({ name, version }, `${name} tells of its transfers itself`),
      pages: [],
      entries: transfers.map((transfer) => entryOf(transfer, about)),
    },
  };
}
