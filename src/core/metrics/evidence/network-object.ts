import { splitCmcd } from '../../model/cmcd.ts';
import type { Har, HarEntry } from '../../model/har.ts';
import { messagesPath } from '../../model/message-transport.ts';
import { protocolOf } from '../../model/protocol.ts';
import type { Protocol } from '../../model/protocol.ts';
import { sessionEndPath } from '../../model/session-end.ts';
import { wireAddressOf } from '../../model/wire-address.ts';
import { parseMoment } from './har-moment.ts';
import { finiteOrNull } from './numbers.ts';

/** One object that went over the network, as the HAR tells it. */
export interface NetworkObject {
  readonly url: string;
  /** Host name without port, lower case. */
  readonly host: string;
  /** Path with query. */
  readonly path: string;
  readonly method: string;
  readonly status: number;
  /** Undefined when the HAR's name for it is none we know. */
  readonly protocol: Protocol | undefined;
  readonly protocolName: string;
  /** True: the host lets no page read by what protocol it answered, and nothing of ours saw it. */
  readonly hidesProtocol: boolean;
  readonly startEpochMs: number | null;
  /** How coarsely the HAR writes the start: the true one lies at most this far after it. */
  readonly startResolutionMs: number;
  readonly endEpochMs: number | null;
  /** Bytes on the wire, headers included where the browser counts them; null unknown. */
  readonly wireBytes: number | null;
  /** Body bytes as sent, exact; null where they cannot be told. */
  readonly bodyBytes: number | null;
  readonly connection: string | undefined;
  readonly error: string | undefined;
  /** What the browser says it was asked for as: document, script, image …; empty where it says nothing. */
  readonly resourceType: string;
  readonly fromCache: boolean;
  /** `/favicon.ico`: asked for by some browsers by themselves, so neither its failure nor its bytes are the page's. */
  readonly browserMade: boolean;
}

/**
 * The objects of a HAR that belong to the network: `http:` and `https:` only (`data:`, `blob:`, `about:` and
 * web sockets and WebTransport are none). A redirect is an object of its own. A second use of an object that was fetched
 * earlier in the same load and came out of the browser's memory is not counted again, and what a service worker answered is
 * none: its own requests are.
 */
export function networkObjectsOf(har: Har | null): readonly NetworkObject[] {
  const entries: unknown = har?.log?.entries;
  if (!Array.isArray(entries)) return [];
  const objects = entries.flatMap((entry: HarEntry | null) => {
    if (entry?._fromServiceWorker === true && errorOf(entry.response) === undefined) return [];
    const object = toNetworkObject(entry);
    return object === undefined ? [] : [object];
  });
  const fetched = new Set(objects.filter((object) => !object.fromCache).map((object) => object.url));
  return objects.filter((object) => !object.fromCache || !fetched.has(object.url));
}

function toNetworkObject(entry: HarEntry | null): NetworkObject | undefined {
  const url = parseUrl(entry?.request?.url);
  // Firefox names a web socket by the https address of its handshake.
  if (!entry || url === undefined || entry._resourceType === 'websocket') return undefined;
  // Firefox names a session of WebTransport so too.
  if (url.pathname === sessionEndPath || url.pathname === messagesPath) return undefined;
  const response = entry.response;
  const { epochMs: startEpochMs, resolutionMs: startResolutionMs } = parseMoment(entry.startedDateTime);
  const durationMs = nonNegative(entry.time);
  const protocolName = String(response?.httpVersion ?? '');
  return {
    url: url.href,
    host: url.hostname,
    path: wireAddressOf(url).path,
    method: String(entry.request.method ?? 'GET'),
    status: finiteOrNull(response?.status) ?? 0,
    protocol: protocolOf(protocolName),
    protocolName: protocolName === '' ? 'unknown' : protocolName,
    hidesProtocol: entry._h2h3 !== undefined && protocolName === 'unknown' && entry.connection === undefined,
    startEpochMs,
    startResolutionMs,
    endEpochMs: startEpochMs === null || durationMs === null ? null : startEpochMs + durationMs,
    wireBytes: wireBytesOf(response),
    bodyBytes: bodyBytesOf(entry),
    connection:
      entry.connection === undefined || entry.connection === '' ? undefined : String(entry.connection),
    error: errorOf(response),
    resourceType: entry._resourceType ?? '',
    fromCache: entry._fromCache === true || entry['_fromDiskCache' as keyof HarEntry] === true,
    browserMade: url.pathname === '/favicon.ico',
  };
}

function parseUrl(url: unknown): URL | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const parsed = new URL(splitCmcd(url).address);
  parsed.hash = '';
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed : undefined;
}

function nonNegative(value: unknown): number | null {
  const number = finiteOrNull(value);
  return number !== null && number >= 0 ? number : null;
}

function wireBytesOf(response: HarEntry['response'] | undefined): number | null {
  const transferred = nonNegative(response?._transferSize);
  if (transferred !== null) return transferred;
  const bodyBytes = nonNegative(response?.bodySize);
  return bodyBytes === null ? null : bodyBytes + (nonNegative(response?.headersSize) ?? 0);
}

/**
 * Without content coding the size of the content, else unknown: Chromium tells no exact encoded body size over
 * HTTP/2 and 3 (its count of received data has frame headers in it and misses what came with the response's start).
 */
function bodyBytesOf({ response, _h2h3: made }: HarEntry): number | null {
  // Resource Timing and our servers' logs have the encoded size, exact.
  if (made !== undefined) return nonNegative(response?.bodySize);
  const headers = Array.isArray(response?.headers) ? response.headers : [];
  const coded = headers.some((header) => String(header?.name).toLowerCase() === 'content-encoding');
  return coded ? null : nonNegative(response?.content?.size);
}

function errorOf(response: HarEntry['response'] | undefined): string | undefined {
  const error: unknown = response?._error;
  if (error !== undefined && error !== null && error !== '')
    return typeof error === 'string' ? error : JSON.stringify(error);
  const status = finiteOrNull(response?.status) ?? 0;
  if (status <= 0) return 'no response';
  return status >= 400 ? `status ${status}` : undefined;
}
