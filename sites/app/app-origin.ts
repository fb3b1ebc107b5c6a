import http, {
  createServer,
  ServerResponse,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { isOddName, type AppLine } from '../../src/core/model/app-ledger.ts';
import { publicOrigin, type AppHost, type AppRoute } from '../../src/core/model/app-under-test.ts';
import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import { handed } from '../replay/send-answer.ts';
import { compressedAnswer } from './compress-answer.ts';
import { AppAddresses, type Header } from './map-addresses.ts';
import {
  answerHeaders,
  bodyOf,
  reasonOf,
  requestHeaders,
  noAnswerReason,
  notAskedStatus,
  notSwitchedReason,
} from './message-rules.ts';

/** An address of the testbed: the same for every server, network and arm. */
const clientAddress = '127.0.0.1';

export interface AppOriginOptions {
  readonly route: AppRoute;
  /** Takes what happened. */
  readonly onLine: (line: AppLine) => void;
}

/**
 * An HTTP/1.1 server that hands on to an app of this machine what a server under test is asked. It changes what a reverse proxy
 * must (`message-rules.ts`): the headers that name who asks, and the app's own address where an answer names it. Bodies go through
 * as they come. It keeps no answer, asks nothing again, and notes when each answer began. An answer that is none costs its own
 * request, which is told why.
 */
export function createAppOrigin(options: AppOriginOptions): Server {
  const origin = new AppOrigin(options);
  const limits = {
    keepAliveTimeout: 60_000,
    requestTimeout: 0,
    headersTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  };
  const server = createServer(limits, (request, response) => origin.serve(request, response));
  server.maxHeadersCount = 0;
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
  readonly oddNames: readonly string[];
  /** Set when the browser, or the server for it, wants no more of the answer. */
  isGivenUp: boolean;
  /** Set when it has been noted why there is no answer, or no whole one. */
  isFailed: boolean;
}

class AppOrigin {
  readonly #options: AppOriginOptions;
  readonly #addresses: AppAddresses;
  #requests = 0;

  constructor(options: AppOriginOptions) {
    this.#options = options;
    this.#addresses = new AppAddresses(options.route);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const asked = this.#taken(request, response);
    if (asked === undefined) return;
    try {
      this.#hand(asked, request, response);
    } catch (thrown) {
      this.#refuse(asked, response, reasonOf(thrown));
    }
  }

  /** A web socket: what either side says goes to the other as it is. Where the app refuses, its answer is one as any other. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    const asked = this.#taken(request, response);
    if (asked === undefined) return;
    const upgrading = ['Connection', 'Upgrade', 'Upgrade', String(request.headers.upgrade)];
    const handed = this.#asking(asked, request, upgrading);
    handed.once('upgrade', (answer: IncomingMessage, far: Duplex, farHead: Buffer) => {
      far.on('error', () => far.destroy());
      const why = notSwitchedReason(request, answer);
      if (why !== null) {
        far.destroy();
        return this.#refuse(asked, response, why);
      }
      this.#options.onLine({ kind: 'socket', id: asked.id, url: asked.url, atEpochMs: Date.now() });
      response.detachSocket(socket as Socket);
      socket.write(switchingHead(answer), 'latin1');
      if (farHead.length > 0) socket.write(farHead);
      if (head.length > 0) far.write(head);
      far.pipe(socket).pipe(far);
      socket.once('close', () => far.destroy());
      far.once('close', () => socket.destroy());
    });
    socket.once('close', () => handed.destroy());
    this.#await(asked, handed, request, response);
    handed.end();
  }

  /** Undefined where it is answered already: it is not for the app, or no request to hand on. */
  #taken(request: IncomingMessage, response: ServerResponse): Asked | undefined {
    response.sendDate = false;
    response.on('error', () => undefined);
    const status = notAskedStatus(request);
    if (status !== null) return void response.writeHead(status).end('This request is none for an app.\n');
    const asked = this.#asked(request);
    if (asked === undefined) response.writeHead(421).end('This host is none of the app.\n');
    return asked;
  }

  #hand(asked: Asked, request: IncomingMessage, response: ServerResponse): void {
    const handed = this.#asking(asked, request);
    handed.once('upgrade', (answer: IncomingMessage, far: Duplex) => {
      far.destroy();
      this.#refuse(asked, response, notSwitchedReason(request, answer) ?? 'it switched the protocol');
    });
    this.#await(asked, handed, request, response);
    if (bodyOf(request) !== null) pipeline(request, handed, () => undefined);
    else handed.end();
  }

  /**
   * Each request has a connection of its own. On one that is used again, what an app sends beyond an answer would pass for the
   * beginning of the next, and HTTP/1.1 has nothing that tells them apart (RFC 9112, 9.2).
   */
  #asking(asked: Asked, request: IncomingMessage, more: readonly string[] = []): ClientRequest {
    const place = this.#placeOf(asked, request);
    const headers = [...place.headers, ...more];
    const handed = http.request({ ...place, headers, agent: false, maxHeaderSize: maxHeaderBytes });
    handed.maxHeadersCount = 0;
    return handed;
  }

  /** Whatever comes of a request costs that request alone. */
  #await(asked: Asked, handed: ClientRequest, request: IncomingMessage, response: ServerResponse): void {
    handed.once('response', (answer) => {
      try {
        this.#answer(asked, request, response, answer);
      } catch (thrown) {
        handed.destroy();
        this.#refuse(asked, response, reasonOf(thrown));
      }
    });
    handed.on('error', (thrown) => {
      // Nothing is owed to a browser that has gone.
      if (asked.isGivenUp) return;
      this.#refuse(asked, response, reasonOf(thrown));
    });
    response.once('close', () => {
      if (response.writableFinished || asked.isFailed) return;
      asked.isGivenUp = true;
      if (!response.headersSent) this.#giveUp(asked);
      handed.destroy();
    });
  }

  /** An answer that has begun breaks off; one that has not becomes one that says why. */
  #refuse(asked: Asked, response: ServerResponse, why: string): void {
    this.#fail(asked, why);
    if (response.headersSent || response.destroyed) return void response.destroy();
    response.writeHead(502, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
    response.end(`The app does not answer: ${why}\n`);
  }

  #answer(asked: Asked, request: IncomingMessage, response: ServerResponse, answer: IncomingMessage): void {
    const why = noAnswerReason(answer);
    if (why !== null) {
      answer.destroy();
      return this.#refuse(asked, response, why);
    }
    const status = answer.statusCode ?? 502;
    const headers = answerHeaders(answer).map((header) => this.#addresses.answerHeader(header));
    const isCompressed = this.#options.route.compress === true && request.method !== 'HEAD';
    const coded = isCompressed
      ? compressedAnswer(status, headers, String(request.headers['accept-encoding'] ?? ''))
      : undefined;
    response.writeHead(status, handed(coded?.headers ?? headers));
    this.#answered(asked, status, answer);
    answer.once('error', () => {
      if (!asked.isGivenUp) this.#fail(asked, 'its answer broke off');
    });
    // An answer that breaks off breaks off for the browser too: `pipeline` ends what it was written to.
    const over = (thrown?: Error | null): void =>
      this.#options.onLine({ kind: 'ended', id: asked.id, isCut: Boolean(thrown), atEpochMs: Date.now() });
    if (coded === undefined) pipeline(answer, response, over);
    else pipeline(answer, coded.coder, response, over);
  }

  #asked(request: IncomingMessage): Asked | undefined {
    const host = this.#addresses.hostNamed(request.headers.host ?? '');
    if (host === undefined) return undefined;
    const url = publicOrigin(host, this.#options.route.port) + (request.url ?? '/');
    const names = requestHeaders(request).map(([name]) => name.toLowerCase());
    return {
      id: this.#requests++,
      url,
      host,
      sentMs: performance.now(),
      oddNames: names.filter(isOddName),
      isGivenUp: false,
      isFailed: false,
    };
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
    const kept = requestHeaders(request).map(([name, value]) =>
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

  #answered(asked: Asked, status: number, { headers }: IncomingMessage): void {
    const { id, url, sentMs, oddNames } = asked;
    const thinkMs = performance.now() - sentMs;
    const hasLength = headers['content-length'] !== undefined;
    const odd = oddNames.length === 0 ? {} : { oddNames: [...oddNames] };
    const atEpochMs = Date.now() - thinkMs;
    this.#options.onLine({ kind: 'answered', id, url, status, hasLength, thinkMs, atEpochMs, ...odd });
  }

  #giveUp({ id, url, sentMs }: Asked): void {
    const atEpochMs = Date.now() - (performance.now() - sentMs);
    this.#options.onLine({ kind: 'given-up', id, url, atEpochMs });
  }

  /** Notes the first reason. */
  #fail(asked: Asked, why: string): void {
    if (asked.isFailed) return;
    asked.isFailed = true;
    this.#options.onLine({ kind: 'failed', id: asked.id, url: asked.url, why, atEpochMs: Date.now() });
  }
}

/** Of an answer that switches the protocol. */
function switchingHead(answer: IncomingMessage): string {
  const switching: Header[] = [
    ['Connection', 'Upgrade'],
    ['Upgrade', String(answer.headers.upgrade)],
  ];
  const lines = [...switching, ...answerHeaders(answer)].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`;
}
