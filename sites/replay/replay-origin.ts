import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import type { FoundAnswer, LedgerLine } from '../../src/core/model/raw-trial.ts';
import type { ArchiveEntry } from '../archive/archive-index.ts';
import type { Archive } from '../archive/open-archive.ts';
import { headerOf, leadsOn, setCookiesOf } from '../archive/headers.ts';
import { SecretCleaner } from '../archive/secrets.ts';
import { sha256 } from '../archive/write-archive.ts';
import type { Clock } from './answer-times.ts';
import { canonicalEscapes, RequestMatcher, type RequestToMatch } from './match-request.ts';
import { sendAnswer, sendPart, type AnswerToSend, timingAllowOrigin } from './send-answer.ts';
import {
  callingBack,
  leadingOverTls,
  upgradingRequests,
  withFirstElement,
  withFirstScript,
} from './adapt-answer.ts';

export interface ReplayOriginOptions {
  readonly archive: Archive;
  /** Wait as long as the recorded server did before its first byte. Default: no. */
  readonly recordedWait?: boolean;
  /** Put in front of the scripts of workers, which no browser lets in from outside. Default: nothing. */
  readonly workerScript?: string;
  /** Put in front of the scripts of pages and frames too, where no harness steers the browser. Default: no. */
  readonly inDocuments?: boolean;
  /** Called for each request, answered or not. */
  readonly onRequest?: (line: LedgerLine) => void;
}

/** No page sends more to a server that only ever answers with what was recorded. */
const maxRequestBytes = 64_000_000;
const documentDestinations = /^(document|iframe|frame)$/;
const workerDestinations = /^(worker|sharedworker|serviceworker)$/;

/**
 * An HTTP/1.1 server that answers for every host of an archive with the recorded bytes. It stands behind the server
 * under test, so that every protocol gets its answers from one place; it never asks anyone else: what is not in the
 * archive is answered with 404 and told to `onRequest`, which keeps the ledger. What goes wrong with one request ends
 * that request.
 */
export function createReplayOrigin(options: ReplayOriginOptions): Server {
  const origin = new ReplayOrigin(options);
  const limits = { keepAliveTimeout: 60_000, maxHeaderSize: maxHeaderBytes };
  const server = createServer(limits, (request, response) => origin.serve(request, response));
  server.maxHeadersCount = 0;
  return server;
}

class ReplayOrigin {
  readonly #options: ReplayOriginOptions;
  readonly #matcher: RequestMatcher;
  readonly #starts: ReadonlySet<string>;
  /** Hosts that lead on from plain http: their pages may lead there by a script or `meta refresh`. */
  readonly #leadingHosts: ReadonlySet<string>;
  /** Host and path of the web sockets that were recorded as lacking. */
  readonly #sockets: ReadonlySet<string>;
  readonly #setCookies: readonly string[];
  readonly #recordedEpochMs: number;
  /** Where the last document's answer sent its browser on to; empty: nowhere. */
  #ledTo = '';
  readonly #shiftMs: number;

  constructor(options: ReplayOriginOptions) {
    const { archive } = options;
    this.#options = options;
    this.#matcher = new RequestMatcher(archive.index.entries, (entry) => archive.requestBody(entry));
    this.#starts = new Set(archive.index.urls.map((url) => canonicalEscapes(new URL(url).pathname)));
    const leading = archive.index.entries.filter((entry) => entry.scheme === 'http' && leadsOn(entry));
    this.#leadingHosts = new Set(leading.map(({ host }) => host));
    const sockets = archive.index.lacks.filter(
      ({ feature, url }) => feature === 'WebSocket' && URL.canParse(url),
    );
    this.#sockets = new Set(
      sockets.map(({ url }) => new URL(url)).map(({ hostname, pathname }) => hostname + pathname),
    );
    this.#setCookies = setCookiesOf(archive.index.entries);
    this.#recordedEpochMs = Date.parse(archive.index.recordedAt);
    // Whole seconds: dates in headers have no more.
    this.#shiftMs = Math.floor((Date.now() - this.#recordedEpochMs) / 1000) * 1000;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (): void => void response.destroy();
    request.on('error', fail);
    response.on('error', fail);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxRequestBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      this.#answer(request, response, chunks).catch((thrown: unknown) =>
        this.#broken(request, response, thrown),
      );
    });
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    chunks: readonly Buffer[],
  ): Promise<void> {
    const arrivedMs = performance.now();
    const { secretsKey } = this.#options.archive.index;
    const wanted = requestToMatch(request, chunks, new SecretCleaner(secretsKey, this.#setCookies));
    if (this.#isNewVisit(request, wanted)) this.#matcher.restart();
    const match = this.#matcher.match(wanted);
    if (match !== null) {
      if (isDocument(request)) this.#ledTo = targetOf(match.entry, wanted);
      this.#tell(request, wanted, match.kind);
      if (this.#options.recordedWait === true) await untilPassed(match.entry.waitMs, arrivedMs);
      const answer = await this.#answerOf(match.entry, request);
      return sendAnswer(await callingBack(answer, wanted.query), request, response);
    }
    const whole = wanted.range === '' ? null : this.#matcher.matchWhole(wanted);
    if (whole !== null && sendPart(await this.#answerOf(whole, request), wanted.range, response))
      return this.#tell(request, wanted, 'part-of-whole');
    this.#tell(request, wanted, this.#sockets.has(wanted.host + wanted.path) ? 'lacking' : 'miss');
    response.writeHead(404, { 'content-type': 'text/plain', [timingAllowOrigin]: '*' });
    response.end('Not in the archive.\n');
  }

  async #answerOf(entry: ArchiveEntry, request: IncomingMessage): Promise<AnswerToSend> {
    const nowEpochMs = Date.now();
    const clock: Clock = { nowEpochMs, shiftMs: this.#shiftMs };
    const body = this.#options.archive.body(entry);
    const recorded = { entry, body, recordedEpochMs: this.#recordedEpochMs, clock };
    const led = leadingOverTls(recorded);
    const upgrades = entry.scheme === 'http' || this.#leadingHosts.has(entry.host);
    const answer = upgrades ? upgradingRequests(led) : led;
    const { workerScript, inDocuments = false } = this.#options;
    const destination = String(request.headers['sec-fetch-dest']);
    if (workerScript !== undefined && workerDestinations.test(destination))
      return withFirstScript(answer, workerScript);
    if (workerScript !== undefined && inDocuments && documentDestinations.test(destination))
      return withFirstElement(answer, workerScript);
    return answer;
  }

  /** Somebody typed an address, or a trial began: what was recorded in the course of one visit begins again. */
  #isNewVisit(request: IncomingMessage, wanted: RequestToMatch): boolean {
    if (request.headers['sec-fetch-site'] !== 'none' || !isDocument(request)) return false;
    // A site may lead back to its first page, which has another answer then: after a consent, a log-in, a language.
    const isLedHere = this.#ledTo === addressOf(wanted);
    return !isLedHere && this.#starts.has(canonicalEscapes(wanted.path));
  }

  #tell(request: IncomingMessage, wanted: RequestToMatch, found: FoundAnswer): void {
    const destination = request.headers['sec-fetch-dest'];
    this.#options.onRequest?.({
      atEpochMs: Date.now(),
      found,
      method: wanted.method,
      url: `https://${request.headers.host ?? wanted.host}${request.url ?? '/'}`,
      destination: typeof destination === 'string' ? destination : '',
    });
  }

  #broken(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
    process.stderr.write(`${request.method} ${request.url}: ${String(thrown)}\n`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'content-type': 'text/plain' }).end('This answer cannot be sent.\n');
  }
}

const isDocument = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-dest'] === 'document';

const addressOf = ({ host, path }: Pick<RequestToMatch, 'host' | 'path'>): string =>
  `${host}${canonicalEscapes(path)}`;

/** Host and path to which an answer leads; empty: it leads nowhere. */
function targetOf(entry: ArchiveEntry, { host, path }: RequestToMatch): string {
  const to = leadsOn(entry) ? headerOf(entry.headers, 'location') : undefined;
  const from = `https://${host}${path}`;
  if (to === undefined || !URL.canParse(to, from)) return '';
  const { hostname, pathname } = new URL(to, from);
  return addressOf({ host: hostname, path: pathname });
}

/** Finding an answer is work that the recorded server's time covers. Timers are of whole ms and late: what is left of one is none. */
async function untilPassed(waitMs: number, sinceMs: number): Promise<void> {
  const leftMs = Math.floor(waitMs - (performance.now() - sinceMs));
  if (leftMs >= 1) await wait(leftMs);
}

function requestToMatch(
  request: IncomingMessage,
  chunks: readonly Buffer[],
  cleaner: SecretCleaner,
): RequestToMatch {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec((request.headers.host ?? '').toLowerCase()) ?? [];
  const header = (name: string): string => {
    const value = request.headers[name];
    return cleaner.requestHeader(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
  };
  const sent =
    chunks.length === 0 ? null : cleaner.requestBody(Buffer.concat(chunks), header('content-type'));
  return {
    method: request.method ?? 'GET',
    host,
    port: Number(port ?? 443),
    path: cleaner.path(mark < 0 ? url : url.slice(0, mark)),
    query: mark < 0 ? '' : cleaner.query(url.slice(mark + 1)),
    hasBareQuery: mark >= 0 && mark === url.length - 1,
    range: request.headers.range ?? '',
    requestBody: sent === null ? null : sha256(sent),
    body: sent,
    header,
  };
}
