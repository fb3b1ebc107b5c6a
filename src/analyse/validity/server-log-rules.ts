import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import { protocolOf } from '../../core/model/protocol.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';
import { isAborted } from './journey-rules.ts';
import { isSocket, LogBook } from './log-book.ts';

type LoggedWorkload = Pick<PreparedWorkload, 'loggedHosts' | 'app'> & {
  /** Of each request for a chunk that a player gave up. Default: none. */
  readonly abandonedUrls?: readonly string[];
};

/**
 * The second proof, from the other end: each object of a logged host is in the server's access log, over the
 * protocol of the arm (`auto`: the one the browser names), well answered, with the same bytes; and the log has
 * no request that the browser does not know of. What a player gave up under way may have come in any part.
 */
export function serverLogFindings(
  arm: ArmProtocol,
  { loggedHosts, app, abandonedUrls = [] }: LoggedWorkload,
  log: readonly ServerLogEntry[] | null,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  if (loggedHosts.length === 0) return [];
  if (log === null)
    return [
      invalid(
        'no-evidence',
        `no server log, though objects of ${loggedHosts.join(', ')} must be proven from it`,
      ),
    ];
  const book = new LogBook(log, loggedHosts);
  const hosts = new Set(loggedHosts.map((host) => host.toLowerCase()));
  const findings = objects
    .filter((object) => hosts.has(object.host) && !object.fromCache && !object.browserMade)
    .filter((object) => !isAborted(object) || !abandonedUrls.includes(object.url))
    .flatMap((object) => objectFindings(arm, object, { book, takesErrors: app !== undefined }));
  book.takeGivenUp(abandonedUrls);
  return [...findings, ...book.remaining.filter(isUnknownRequest).map(unknownRequest)];
}

/** Where one cipher suite alone was allowed, every request must have come over it by the server's account. */
export function cipherFindings(
  wanted: string | undefined,
  log: readonly ServerLogEntry[] | null,
): readonly Finding[] {
  if (wanted === undefined || log === null) return [];
  const other = log.find(({ cipher }) => cipher !== wanted);
  return other === undefined
    ? []
    : [
        invalid(
          'wrong-cipher',
          `${other.path} came over ${other.cipher ?? 'an unknown cipher suite'}, expected ${wanted}`,
        ),
      ];
}

interface LookedUp {
  readonly book: LogBook;
  /** Whether an error that both ends have alike is an answer: an app may have such pages. */
  readonly takesErrors: boolean;
}

function objectFindings(
  arm: ArmProtocol,
  object: NetworkObject,
  { book, takesErrors }: LookedUp,
): readonly Finding[] {
  const expected = arm === 'auto' ? object.protocol : arm;
  const differenceTo = (candidate: ServerLogEntry): string | undefined =>
    mismatch(expected, object, candidate, takesErrors);
  const entry = book.take(object, (candidate) => differenceTo(candidate) === undefined);
  if (entry === undefined && takesErrors && object.error !== undefined) return [];
  if (entry === undefined) return [invalid('not-logged', `${object.url} is not in the server's log`)];
  // What a page gave up is logged as far as it came.
  if (takesErrors && isAborted(object)) return [];
  const difference = differenceTo(entry);
  return difference === undefined ? [] : [invalid('log-differs', `${object.url}: ${difference}`)];
}

function mismatch(
  expected: string | undefined,
  object: NetworkObject,
  entry: ServerLogEntry,
  takesErrors: boolean,
): string | undefined {
  if (protocolOf(entry.protocol) !== expected) {
    return `the server's log says ${entry.protocol}, expected ${expected ?? object.protocolName}`;
  }
  // What was asked for again, and was still the same, came without a body.
  if (takesErrors && entry.status === 304 && (object.status === 304 || object.status === 200))
    return undefined;
  const redirected = entry.status >= 300 && entry.status < 400 && entry.status === object.status;
  const isAlike = takesErrors && entry.status >= 400 && entry.status < 500 && entry.status === object.status;
  if (!redirected && !isAlike && !(entry.status >= 200 && entry.status < 300))
    return `the server's log says status ${entry.status}`;
  if (object.method.toUpperCase() === 'HEAD') return undefined;
  // What an app writes with a redirect no browser hands on.
  if (takesErrors && redirected) return undefined;
  return cutOff(object, entry) ?? bytesMismatch(object, entry);
}

/** An answer that both sides have alike, but not whole. What the browser gave up itself is told as failed. */
function cutOff(
  { error }: NetworkObject,
  { bytes, announcedBytes, status }: ServerLogEntry,
): string | undefined {
  // A 304 may announce what it leaves out (RFC 9110, 8.6).
  const hasNoBody = status === 204 || status === 304;
  if (error !== undefined || announcedBytes === undefined || hasNoBody) return undefined;
  return bytes < announcedBytes
    ? `the server sent ${bytes} of the ${announcedBytes} body bytes that it announced`
    : undefined;
}

/** The most that a head has (nginx and HAProxy refuse more), bytes, and the most of a count that heads of chunks or frames are. */
const maxHeadBytes = 16_384;
const maxFramingShare = 0.1;

/** Whether a body can be what a count says that has heads in it. */
function isWithinCount(bodyBytes: number, countedBytes: number): boolean {
  const minBytes = countedBytes * (1 - maxFramingShare) - maxHeadBytes;
  return bodyBytes <= countedBytes && bodyBytes >= minBytes;
}

/** Where the browser tells no exact body size, what it received at least must hold the body that was sent. */
function bytesMismatch(
  object: NetworkObject,
  { bytes: sentBytes, isUpperBound = false }: ServerLogEntry,
): string | undefined {
  // With heads in it, it says nothing of a count that has other heads in it.
  if (isUpperBound && (object.bodyBytes === null || isWithinCount(object.bodyBytes, sentBytes)))
    return undefined;
  if (object.bodyBytes !== null) {
    return object.bodyBytes === sentBytes
      ? undefined
      : `the server sent ${sentBytes} body bytes, the browser got ${object.bodyBytes}`;
  }
  return object.wireBytes !== null && object.wireBytes < sentBytes
    ? `the server sent ${sentBytes} body bytes, the browser got ${object.wireBytes} with headers`
    : undefined;
}

/** Preflights are not in every browser's events, web sockets are no objects, and `/favicon.ico` is the browser's own affair. */
function isUnknownRequest(entry: ServerLogEntry): boolean {
  if (isSocket(entry)) return false;
  return entry.method.toUpperCase() !== 'OPTIONS' && !/^\/favicon\.ico($|\?)/.test(entry.path);
}

function unknownRequest(entry: ServerLogEntry): Finding {
  return invalid(
    'not-in-har',
    `https://${entry.host}${entry.path} is in the server's log (${entry.method}, ${entry.protocol}, status ${entry.status}), but not in the HAR`,
  );
}
