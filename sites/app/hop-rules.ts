import type { IncomingMessage } from 'node:http';
import type { Header } from './map-addresses.ts';

/**
 * What RFC 9110 and RFC 9112 ask of an intermediary, as far as Node's parser does not see to it. The parser refuses what is no
 * message: lengths that contradict each other, control characters in fields, chunks that are none.
 */

/** Of one connection, whoever names them (RFC 9110, 7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);
/** Final statuses (RFC 9110, 15); sites use three digits of their own beyond 599. */
const leastFinalStatus = 200;
const greatestStatus = 999;

export function pairsOf(raw: readonly string[]): Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** The fields of a message that go on: none of its connection, and none that its `Connection` names (RFC 9110, 7.6.1). */
export function endToEnd(headers: readonly Header[]): readonly Header[] {
  const named = headers
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.split(','))
    .map((token) => token.trim().toLowerCase());
  const dropped = new Set([...ofConnection, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** Whether a request brings a body: its framing says so, whatever its method (RFC 9112, 6.3). */
export function bringsBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The fields of an answer but for its framing, which is made anew; an answer without content has no length (RFC 9110, 8.6). */
export function withoutFraming(status: number, headers: readonly Header[]): readonly Header[] {
  const framing = status === 204 ? /^(?:transfer-encoding|content-length)$/i : /^transfer-encoding$/i;
  return headers.filter(([name]) => !framing.test(name));
}

/** Why an answer cannot be handed on; undefined where it can. */
export function whyNoAnswer({ statusCode = 0 }: Pick<IncomingMessage, 'statusCode'>): string | undefined {
  return statusCode < leastFinalStatus || statusCode > greatestStatus
    ? `it answered with status ${String(statusCode).padStart(3, '0')}, which is no final one`
    : undefined;
}
