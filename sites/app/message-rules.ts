import type { IncomingMessage } from 'node:http';
import { cutMark, startOfText } from '../../src/core/model/cut-text.ts';
import { abortStatus } from '../replay/send-answer.ts';
import type { Header } from './map-addresses.ts';

/**
 * What is made of messages between a server in front and an app, by RFC 9110 (meaning) and RFC 9112 (HTTP/1.1). What Node's parser
 * refuses by itself is not here: bad lengths, two lengths, a length together with chunks, folded lines, bare line feeds, control
 * characters in headers. The reason phrase of an answer is left behind, because browsers ignore it, and HTTP/2 and HTTP/3 have none
 * (RFC 9112, 4).
 */

/** Of one connection, whether `Connection` names them or not (RFC 9110, 7.6.1). */
const ofConnection =
  /^(?:connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|expect)$/i;
/** What tells where a message ends and which site it is for: nobody may have it dropped by naming it in `Connection`. */
const framing: readonly string[] = ['content-length', 'host'];
/** What servers in front say in words of their own; the app is told the same whichever it is, in CGI's spelling too. */
const ofServers =
  /^(?:forwarded|via|x[-_]forwarded[-_].*|x[-_]real[-_]ip|x[-_]envoy[-_].*|x[-_]h2h3[-_].*)$/i;
/** An answer is not asked again by another protocol, and no server in front is told what only we say. */
const notOfApps = /^(?:alt-svc|x-h2h3-.*)$/i;

export function pairsOf(raw: readonly string[]): Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** Words of all fields of a name that hold lists, as they were written: a secret among them is known by its letters' case. */
function wordsOf(headers: readonly Header[], wanted: string): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Without what is of the connection, by itself or because `Connection` names it. */
function endToEnd(headers: readonly Header[]): Header[] {
  const words = wordsOf(headers, 'connection').map((word) => word.toLowerCase());
  const named = new Set(words).difference(new Set(framing));
  return headers.filter(([name]) => !ofConnection.test(name) && !named.has(name.toLowerCase()));
}

/** Why a request is not handed on: the status that says so; null where it is. */
export function notAskedStatus({ url = '', rawHeaders, method }: IncomingMessage): number | null {
  const hosts = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === 'host');
  // RFC 9112, 3.2: two hosts, and forms of the target that only a proxy is asked by.
  const isOrigin = url.startsWith('/') || (url === '*' && method === 'OPTIONS');
  return hosts.length > 1 || !isOrigin ? 400 : null;
}

/** How a body follows the head of a request, whatever its method (RFC 9112, 6.3); null: none does. */
export function bodyOf({ headers }: IncomingMessage): 'chunks' | 'length' | null {
  if (headers['transfer-encoding'] !== undefined) return 'chunks';
  return Number(headers['content-length'] ?? 0) > 0 ? 'length' : null;
}

/** Of a request, to an app; the body, where it comes in chunks, goes on in chunks. */
export function requestHeaders(request: IncomingMessage): Header[] {
  const kept = endToEnd(pairsOf(request.rawHeaders)).filter(
    ([name]) => !ofServers.test(name) && name.toLowerCase() !== 'host',
  );
  return bodyOf(request) === 'chunks' ? [...kept, ['Transfer-Encoding', 'chunked']] : kept;
}

/** Of an answer, to the server in front. */
export function answerHeaders({ statusCode, rawHeaders }: IncomingMessage): Header[] {
  // RFC 9110, 8.6: what has no content has no length of it.
  const notOfStatus = statusCode === 204 ? /^content-length$/i : /^$/;
  return endToEnd(pairsOf(rawHeaders)).filter(([name]) => !notOfApps.test(name) && !notOfStatus.test(name));
}

/** Why an answer is none, with what the app sent; null where it is one. */
export function noAnswerReason({ statusCode = 0, rawHeaders }: IncomingMessage): string | null {
  // RFC 9110, 15: a final status begins at 200.
  if (statusCode < 200) return `it answered with the status ${String(statusCode).padStart(3, '0')}`;
  if (statusCode === abortStatus)
    return `it answered with the status ${abortStatus}, by which servers of h2h3 are told to break off`;
  // RFC 9112, 6.1: nobody asked for any other (TE).
  const other = wordsOf(pairsOf(rawHeaders), 'transfer-encoding').find(
    (coding) => coding.toLowerCase() !== 'chunked',
  );
  return other === undefined
    ? null
    : `it sent the transfer coding ${shown(other)}, for which it was not asked`;
}

/** Why the protocol is not switched, with what the app sent; null where it is. */
export function notSwitchedReason(request: IncomingMessage, answer: IncomingMessage): string | null {
  const wanted = wordsOf(pairsOf(request.rawHeaders), 'upgrade').map((protocol) => protocol.toLowerCase());
  const got = wordsOf(pairsOf(answer.rawHeaders), 'upgrade');
  // RFC 9110, 7.8: only to what the client offered.
  const isOffered = got.length > 0 && got.every((protocol) => wanted.includes(protocol.toLowerCase()));
  if (answer.statusCode === 101 && isOffered) return null;
  return `it switched to ${got.length === 0 ? 'no protocol' : shown(got.join(', '))}, for which it was not asked`;
}

const maxShown = 80;

/** Something foreign in a sentence: its beginning, with what does not print as escapes. */
export function shown(text: string): string {
  return JSON.stringify(startOfText(text, maxShown)).replaceAll(
    /[\u007F-\uFFFF]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What failed between us and an app: where Node's parser refused an answer, with the line that it begins with. */
export function reasonOf(thrown: unknown): string {
  // Node joins one error for each address of a name.
  const [first] = thrown instanceof AggregateError ? (thrown.errors as unknown[]) : [thrown];
  const message = first instanceof Error ? first.message : String(first);
  const raw = first instanceof Error && 'rawPacket' in first ? first.rawPacket : undefined;
  if (!(raw instanceof Buffer) || raw.length === 0) return message;
  const begun = raw.toString('latin1').split(/\r?\n/, 1)[0] ?? '';
  // What came in an earlier packet is not here: it may end within a secret.
  const line = /^HTTP\//.test(begun) ? begun : cutMark + begun;
  return `${message}; what it sent begins with ${shown(line)}`;
}
