import type { Protocol } from 'puppeteer-core';
import { RequestRest } from '../../../../src/core/model/request-rest.ts';
import type { CdpSession } from './cdp-connection.ts';

type RequestWillBeSent = Protocol.Network.RequestWillBeSentEvent;
type ResponseReceived = Protocol.Network.ResponseReceivedEvent;

/** What the browser told of one request, as it told it. A redirect makes a new one with the same id. */
export interface LoggedRequest {
  readonly sent: RequestWillBeSent;
  response?: ResponseReceived;
  priority?: Protocol.Network.ResourceChangedPriorityEvent;
  finished?: Protocol.Network.LoadingFinishedEvent;
  failed?: Protocol.Network.LoadingFailedEvent;
  redirect?: RequestWillBeSent;
  fromMemoryCache?: boolean;
  /** Logging ended while this was under way: how much of it came is not known. */
  cutShort?: boolean;
  /** Sums of `Network.dataReceived`: a gigabyte makes hundreds of thousands of these events. */
  decodedBytes: number;
  encodedBytes: number;
  lastDataSeconds: number;
}

/** Kinds of requests that a page sends without waiting for an answer. */
const unawaited: ReadonlySet<string> = new Set(['Ping', 'CSPViolationReport']);

/**
 * Gathers the network events of every frame and worker of the page. Sessions of subframes and workers tell of
 * requests of their own; one request may show in two of them and is kept once, by its id. Its bytes are those that the
 * first session to tell of any has told of.
 */
export class NetworkLog {
  readonly requests: LoggedRequest[] = [];
  readonly #byId = new Map<string, LoggedRequest>();
  readonly #underWay = new Map<string, CdpSession>();
  readonly #teller = new Map<string, CdpSession>();
  readonly #counter = new Map<string, CdpSession>();
  readonly #eventMs: () => number;
  readonly #rest: RequestRest;
  #onResponse: (response: Protocol.Network.Response) => void = () => undefined;

  /**
   * @param eventMs when the event that is being handed out came, ms on the clock of `performance.now()`
   * @param waitsForAll whether quiet means that every request has ended; else polls and unread answers are not waited for
   */
  constructor(eventMs: () => number, waitsForAll = true) {
    this.#eventMs = eventMs;
    this.#rest = new RequestRest(performance.now(), { waitsForAll });
  }

  /** The load event has fired. */
  loaded(): void {
    this.#rest.loaded(performance.now());
  }

  /** Calls `listener` with every response so far and to come. */
  watchResponses(listener: (response: Protocol.Network.Response) => void): void {
    this.#onResponse = listener;
    for (const { response } of this.requests) if (response) listener(response.response);
  }

  /** Marks what is under way on this session: its further events will not come. */
  cutShort(session: CdpSession): void {
    for (const [id, owner] of this.#underWay) {
      const request = this.#byId.get(id);
      if (request && owner === session) request.cutShort = true;
    }
  }

  /** Call before `Network.enable` is sent on this session. */
  observe(session: CdpSession): void {
    session.on('Network.requestWillBeSent', (event) => this.#sent(session, event));
    session.on('Network.responseReceived', (event) => {
      const request = this.#byId.get(event.requestId);
      if (request) request.response = event;
      this.#rest.progressed(event.requestId, this.#eventMs());
      this.#onResponse(event.response);
    });
    session.on('Network.dataReceived', (event) => {
      const request = this.#byId.get(event.requestId);
      if (!request) return;
      this.#rest.progressed(event.requestId, this.#eventMs());
      if (!this.#counter.has(event.requestId)) this.#counter.set(event.requestId, session);
      if (this.#counter.get(event.requestId) !== session) return;
      request.decodedBytes += event.dataLength;
      request.encodedBytes += event.encodedDataLength;
      request.lastDataSeconds = event.timestamp;
    });
    session.on('Network.resourceChangedPriority', (event) => {
      const request = this.#byId.get(event.requestId);
      if (request) request.priority = event;
    });
    session.on('Network.requestServedFromCache', (event) => {
      const request = this.#byId.get(event.requestId);
      if (request) request.fromMemoryCache = true;
    });
    session.on('Network.loadingFinished', (event) => {
      const request = this.#byId.get(event.requestId);
      if (request) request.finished = event;
      this.#ended(event.requestId);
    });
    session.on('Network.loadingFailed', (event) => {
      const request = this.#byId.get(event.requestId);
      if (request) request.failed = event;
      this.#ended(event.requestId);
    });
  }

  /** Requests of a worker or frame that is gone will tell no more; they stay in the log, unfinished. */
  forget(session: CdpSession): void {
    for (const [id, owner] of this.#underWay) if (owner === session) this.#ended(id);
  }

  /** Something came over the network, of whichever request. */
  arrived(): void {
    this.#rest.arrived(performance.now());
  }

  /** Milliseconds since when no request has been under way; 0 while one is. */
  quietForMs(): number {
    return this.#rest.quietForMs(performance.now());
  }

  #sent(session: CdpSession, event: RequestWillBeSent): void {
    if (event.request.url.startsWith('data:') || event.request.url.startsWith('blob:')) return;
    const before = this.#byId.get(event.requestId);
    if (before !== undefined) {
      if (event.redirectResponse === undefined) return;
      // Told by another session before.
      const isToldAgain = before.sent.request.url === event.request.url;
      if (isToldAgain && this.#teller.get(event.requestId) !== session) return;
      before.redirect ??= event;
    }
    const request = { sent: event, decodedBytes: 0, encodedBytes: 0, lastDataSeconds: 0 };
    this.#byId.set(event.requestId, request);
    this.#teller.set(event.requestId, session);
    this.requests.push(request);
    const { request: asked, type = '' } = event;
    // An event stream ends with the page only: waiting for it would never end.
    if (type === 'EventSource') return this.#rest.begun(this.#eventMs());
    this.#underWay.set(event.requestId, session);
    this.#rest.sent(
      event.requestId,
      // Bodies are not told: what has one may be something else each time.
      `${asked.method} ${asked.url} ${asked.hasPostData === true ? event.requestId : ''}`,
      this.#eventMs(),
      unawaited.has(type),
    );
  }

  #ended(requestId: string): void {
    if (this.#underWay.delete(requestId)) this.#rest.ended(requestId, this.#eventMs());
  }
}
