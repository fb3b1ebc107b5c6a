import http, {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { AppLine } from '../../src/model/app-ledger.ts';
import { publicOrigin, type AppHost, type AppRoute } from '../../src/model/app-under-test.ts';
import { hasErrno } from '../../src/model/errors.ts';
import { timingAllowOrigin } from '../replay/send-answer.ts';
import { compressedAnswer } from './compress-answer.ts';
import { AppAddresses, type Header } from './map-addresses.ts';

/** Of one connection, and of its way (RFC 9110, 7.6.1). */
const ofConnection =
  /^(?:connection|keep-alive|proxy-connection|proxy-authenticate|te|trailer|upgrade|expect)$/i;
/** What servers in front say in words of their own; the app is told the same whichever it is. */
const ofServers = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-envoy-.*)$/i;
/** A header that the server in front would replace by its own, under the name by which it hands it on. */
const handedVia = 'x-h2h3-via';
/** An address of the testbed: the same for every server, network and arm. */
const clientAddress = '127.0.0.1';
const withoutBody = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export interface AppOriginOptions {
  readonly route: AppRoute;
  /** Takes what happened. */
  readonly onLine: (line: AppLine) => void;
}

/**
 * An HTTP/1.1 server that hands on to an app of this machine what a server under test is asked. It changes what a reverse proxy
 * must: the headers that name who asks, and the app's own address where an answer names it. Bodies go through as they come. It
 * keeps no answer, asks nothing again, and notes when each answer began.
 */
export function createAppOrigin(options: AppOriginOptions): Server {
  const origin = new AppOrigin(options);
  const server = createServer(
    { keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 },
    (request, response) => origin.serve(request, response),
  );
  server.on('upgrade', (request, socket, head) => origin.upgrade(request, socket, head));
  return server;
}

/** A request under way. */
interface Asked {
  readonly id: number;
  /** As browsers know it. */
  readonly url: string;
  readonly host: AppHost;
  readonly sentMs: number;
  /** Set when the browser, or the server for it, wants no more of the answer. */
  isGivenUp: boolean;
}

class AppOrigin {
  readonly #options: AppOriginOptions;
  readonly #addresses: AppAddresses;
  readonly #agent = new http.Agent({ keepAlive: true });
  #requests = 0;

  constructor(options: AppOriginOptions) {
    this.#options = options;
    this.#addresses = new AppAddresses(options.route);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    response.sendDate = false;
    const asked = this.#asked(request);
    if (asked === undefined) return void response.writeHead(421).end('This host is none of the app.\n');
    response.on('error', () => undefined);
    this.#hand(asked, request, response, this.#agent);
  }

  /** @param agent false: over a connection of its own */
  #hand(asked: Asked, request: IncomingMessage, response: ServerResponse, agent: http.Agent | false): void {
    const hasBody = !withoutBody.has(request.method ?? 'GET');
    // What an app closes when it has been idle may be closed while it is used again: a body could not be sent a second time.
    const handed = http.request({ ...this.#placeOf(asked, request), agent: hasBody ? false : agent });
    handed.once('response', (answer) => this.#answer(asked, request, response, answer));
    handed.once('error', (thrown) => {
      // Nothing is owed to a browser that has gone.
      if (response.headersSent || response.destroyed) return void response.destroy();
      if (handed.reusedSocket && hasErrno(thrown, 'ECONNRESET'))
        return this.#hand(asked, request, response, false);
      this.#fail(asked, thrown);
      response.writeHead(502, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
      response.end(`The app does not answer: ${reasonOf(thrown)}\n`);
    });
    response.once('close', () => {
      if (response.writableFinished) return;
      asked.isGivenUp = true;
      if (!response.headersSent) this.#giveUp(asked);
      handed.destroy();
    });
    if (hasBody) pipeline(request, handed, () => undefined);
    else handed.end();
  }

  #answer(asked: Asked, request: IncomingMessage, response: ServerResponse, answer: IncomingMessage): void {
    const status = answer.statusCode ?? 502;
    this.#answered(asked, status, answer);
    const headers = pairsOf(answer.rawHeaders)
      .filter(([name]) => !ofConnection.test(name) && !/^(?:alt-svc|transfer-encoding)$/i.test(name))
      .map((header) => this.#addresses.answerHeader(header));
    const isCompressed = this.#options.route.compress === true && request.method !== 'HEAD';
    const coded = isCompressed
      ? compressedAnswer(status, headers, String(request.headers['accept-encoding'] ?? ''))
      : undefined;
    response.writeHead(status, answer.statusMessage, handedOn(coded?.headers ?? headers));
    answer.once('error', () => {
      if (!asked.isGivenUp) this.#fail(asked, new Error('its answer broke off'));
    });
    // An answer that breaks off breaks off for the browser too: `pipeline` ends what it was written to.
    const over = (thrown?: Error | null): void =>
      this.#options.onLine({ kind: 'ended', id: asked.id, isCut: Boolean(thrown), atEpochMs: Date.now() });
    if (coded === undefined) pipeline(answer, response, over);
    else pipeline(answer, coded.coder, response, over);
  }

  /** A web socket: what either side says goes to the other as it is. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const asked = this.#asked(request);
    if (asked === undefined) return void socket.end('HTTP/1.1 421 Misdirected Request\r\n\r\n');
    const place = this.#placeOf(asked, request);
    const upgrading = ['Connection', 'Upgrade', 'Upgrade', String(request.headers.upgrade)];
    const handed = http.request({ ...place, agent: false, headers: [...place.headers, ...upgrading] });
    handed.once('upgrade', (answer, far, farHead) => {
      this.#options.onLine({ kind: 'socket', id: asked.id, url: asked.url, atEpochMs: Date.now() });
      far.on('error', () => far.destroy());
      socket.write(headOf(answer));
      if (farHead.length > 0) socket.write(farHead);
      if (head.length > 0) far.write(head);
      far.pipe(socket).pipe(far);
      socket.once('close', () => far.destroy());
      far.once('close', () => socket.destroy());
    });
    handed.once('response', (answer) => {
      this.#answered(asked, answer.statusCode ?? 502, answer);
      socket.write(headOf(answer));
      answer.pipe(socket);
    });
    handed.once('error', (thrown) => {
      this.#fail(asked, thrown);
      socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n');
    });
    handed.end();
  }

  #asked(request: IncomingMessage): Asked | undefined {
    const host = this.#addresses.hostNamed(request.headers.host ?? '');
    if (host === undefined) return undefined;
    const url = publicOrigin(host, this.#options.route.port) + (request.url ?? '/');
    return { id: this.#requests++, url, host, sentMs: performance.now(), isGivenUp: false };
  }

  #placeOf({ host }: Asked, request: IncomingMessage): RequestOptions & { readonly headers: string[] } {
    const { hostname, port } = new URL(host.origin);
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 80 : Number(port),
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: this.#headersOf(host, request),
    };
  }

  #headersOf(host: AppHost, request: IncomingMessage): string[] {
    const seen = new URL(publicOrigin(host, this.#options.route.port));
    const kept = pairsOf(request.rawHeaders)
      .filter(([name]) => !ofConnection.test(name) && !ofServers.test(name) && !/^host$/i.test(name))
      .map(([name, value]) =>
        /^(?:origin|referer)$/i.test(name) ? [name, this.#addresses.toApp(value)] : [name, value],
      );
    const own = [
      ['Host', this.#addresses.askedHost(host)],
      ['X-Forwarded-For', clientAddress],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Host', seen.host],
      ['X-Forwarded-Port', seen.port === '' ? '443' : seen.port],
    ];
    return [...own, ...kept].flat();
  }

  #answered({ id, url, sentMs }: Asked, status: number, { headers }: IncomingMessage): void {
    const thinkMs = performance.now() - sentMs;
    const hasLength = headers['content-length'] !== undefined;
    const atEpochMs = Date.now() - thinkMs;
    this.#options.onLine({ kind: 'answered', id, url, status, hasLength, thinkMs, atEpochMs });
  }

  #giveUp({ id, url, sentMs }: Asked): void {
    const atEpochMs = Date.now() - (performance.now() - sentMs);
    this.#options.onLine({ kind: 'given-up', id, url, atEpochMs });
  }

  #fail({ id, url }: Asked, thrown: unknown): void {
    this.#options.onLine({ kind: 'failed', id, url, why: reasonOf(thrown), atEpochMs: Date.now() });
  }
}

function pairsOf(raw: readonly string[]): Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** Every page may read the protocol and the sizes of every object of the app: they are proofs of the trial. */
function handedOn(headers: readonly Header[]): string[] {
  const own = headers.filter(([name]) => name.toLowerCase() !== timingAllowOrigin);
  const sent = own.flatMap(([name, value]) => [name.toLowerCase() === 'via' ? handedVia : name, value]);
  return [...sent, timingAllowOrigin, '*'];
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
}

/** Node joins one error for each address of a name. */
function reasonOf(thrown: unknown): string {
  const [first] = thrown instanceof AggregateError ? (thrown.errors as unknown[]) : [thrown];
  return first instanceof Error ? first.message : String(first);
}
