import { createHash, type Hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Archive } from '../archive/open-archive.ts';
import type { LedgerLine } from '../../src/model/raw-trial.ts';
import { RequestMatcher, type RequestToMatch } from './match-request.ts';

export interface ReplayOriginOptions {
  readonly archive: Archive;
  /** Wait as long as the recorded server did before its first byte. Default: no. */
  readonly recordedWait?: boolean;
  /** Called for each request, answered or not. */
  readonly onRequest?: (line: LedgerLine) => void;
}

/**
 * An HTTP/1.1 server that answers for every host of an archive with the recorded bytes. It stands behind the server
 * under test, so that every protocol gets its answers from one place; it never asks anyone else: what is not in the
 * archive is answered with 404 and told to `onRequest`, which keeps the ledger.
 */
export function createReplayOrigin(options: ReplayOriginOptions): Server {
  const matcher = new RequestMatcher(options.archive.index.entries);
  return createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // Most requests have no body: a hash for each would be a tenth of the origin's work.
    let hash: Hash | null = null;
    request.on('data', (chunk: Buffer) => {
      hash ??= createHash('sha256');
      hash.update(chunk);
    });
    request.on('end', () => {
      const wanted = requestToMatch(request, hash === null ? null : hash.digest('hex'));
      const match = matcher.match(wanted);
      options.onRequest?.(ledgerLine(request, wanted, match?.kind ?? 'miss'));
      if (match === null) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Not in the archive.\n');
        return;
      }
      const send = (): void => sendRecorded(options.archive, match.entry, request, response);
      if (options.recordedWait === true) setTimeout(send, match.entry.waitMs);
      else send();
    });
  });
}

function requestToMatch(request: IncomingMessage, requestBody: string | null): RequestToMatch {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    host: (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase(),
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    range: request.headers.range ?? '',
    requestBody,
  };
}

function ledgerLine(
  request: IncomingMessage,
  wanted: RequestToMatch,
  found: LedgerLine['found'],
): LedgerLine {
  const destination = request.headers['sec-fetch-dest'];
  return {
    atEpochMs: Date.now(),
    found,
    method: wanted.method,
    url: `https://${wanted.host}${request.url ?? '/'}`,
    destination: typeof destination === 'string' ? destination : '',
  };
}

function sendRecorded(
  archive: Archive,
  entry: Parameters<Archive['body']>[0],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const body = archive.body(entry);
  const hasNoBody = request.method === 'HEAD' || entry.status === 204 || entry.status === 304;
  const headers = entry.headers
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    // The server in front adds its own to this header, and takes this one's place.
    .map(([name, value]) => [name.toLowerCase() === 'via' ? 'x-h2h3-via' : name, value]);
  const length: [string, string][] =
    hasNoBody && body.length === 0 ? [] : [['content-length', String(body.length)]];
  response.sendDate = false;
  response.writeHead(entry.status, [...headers, ...length].flat());
  response.end(hasNoBody ? undefined : body);
}
