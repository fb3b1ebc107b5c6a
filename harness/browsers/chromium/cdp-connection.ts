import type { Readable, Writable } from 'node:stream';
import type { CDPEvents, CDPSession as PuppeteerSession } from 'puppeteer-core';
import { H2h3Error } from '../../../src/model/errors.ts';

/** Chrome DevTools Protocol: typed by Puppeteer's declarations. */
export type CdpSend = PuppeteerSession['send'];
type Listener = (params: never) => void;

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** One attached target; the connection's `root` is the browser itself. */
export class CdpSession {
  readonly id: string | undefined;
  readonly #connection: CdpConnection;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(connection: CdpConnection, id: string | undefined) {
    this.#connection = connection;
    this.id = id;
  }

  /** Resolves with the command's result. @throws H2h3Error `process-failed` when the browser refuses or is gone. */
  readonly send: CdpSend = (method, params) => this.#connection.send(this.id, method, params) as never;

  on<Name extends keyof CDPEvents>(name: Name, listener: (params: CDPEvents[Name]) => void): void {
    const known = this.#listeners.get(name);
    if (known) known.push(listener);
    else this.#listeners.set(name, [listener]);
  }

  receive(method: string, params: unknown): void {
    for (const listener of this.#listeners.get(method) ?? []) listener(params as never);
  }
}

interface Deferred {
  readonly message: Buffer;
  readonly arrivalMs: number;
}

/** A page that loads without end must not fill the memory. */
const deferredMost = 50_000;

/** Whether a message begins with `{"method":"N`: no other domain than Network does. */
function isNetworkEvent(message: Buffer): boolean {
  return message[2] === 0x6d && message[11] === 0x4e;
}

/**
 * The protocol over the pair of pipes that `--remote-debugging-pipe` opens: JSON messages, each ended by a zero
 * byte. Puppeteer's own browser object is not used because it attaches to every target a second time and lets
 * service workers go, so that their requests would be missed.
 */
export class CdpConnection {
  readonly root: CdpSession;
  readonly #write: Writable;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #rest: Buffer[] = [];
  #closed = false;
  #deferring = false;
  readonly #deferred: Deferred[] = [];
  #arrivalMs = performance.now();

  constructor(write: Writable, read: Readable) {
    this.#write = write;
    this.root = new CdpSession(this, undefined);
    // A browser that dies closes both pipes; whatever waits for an answer then learns it from `#close`.
    write.on('error', () => this.#close());
    read.on('error', () => this.#close());
    read.on('close', () => this.#close());
    read.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** The session of an attached target, made when it is first spoken of. */
  session(sessionId: string): CdpSession {
    let session = this.#sessions.get(sessionId);
    if (!session) this.#sessions.set(sessionId, (session = new CdpSession(this, sessionId)));
    return session;
  }

  /**
   * From now on network events are only kept until `flush`: on a machine with few CPUs this process runs on those
   * of the browser, and what it does with the events of a load would be in the load time.
   */
  deferNetworkEvents(): void {
    this.#deferring = true;
  }

  /** Hands out the network events that were kept. */
  flush(): void {
    for (const { message, arrivalMs } of this.#deferred.splice(0)) this.#dispatch(message, arrivalMs);
  }

  /** Hands out what was kept, and every event at once from now on. */
  stopDeferring(): void {
    this.#deferring = false;
    this.flush();
  }

  /** When the event that is being handed out came, ms on the clock of `performance.now()`. */
  get arrivalMs(): number {
    return this.#arrivalMs;
  }

  send(sessionId: string | undefined, method: string, params: unknown): Promise<unknown> {
    if (this.#closed) return Promise.reject(gone(method));
    const id = ++this.#lastId;
    this.#write.write(`${JSON.stringify({ id, sessionId, method, params })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }));
  }

  #receive(chunk: Buffer): void {
    const arrivalMs = performance.now();
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const message = this.#rest.length === 0 ? chunk.subarray(start, end) : this.#whole(chunk, start, end);
      if (this.#deferring && isNetworkEvent(message)) this.#deferred.push({ message, arrivalMs });
      else this.#dispatch(message, arrivalMs);
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    if (this.#deferred.length > deferredMost) this.flush();
  }

  #whole(chunk: Buffer, start: number, end: number): Buffer {
    const whole = Buffer.concat([...this.#rest, chunk.subarray(start, end)]);
    this.#rest = [];
    return whole;
  }

  #dispatch(bytes: Buffer, arrivalMs: number): void {
    this.#arrivalMs = arrivalMs;
    const message = JSON.parse(bytes.toString()) as Message;
    const { id, method, sessionId } = message;
    if (method !== undefined) {
      const session = sessionId === undefined ? this.root : this.session(sessionId);
      session.receive(method, message.params);
    } else if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (message.error) waiting?.reject(refused(waiting.method, message.error.message));
      else waiting?.resolve(message.result);
    }
  }

  #close(): void {
    this.#closed = true;
    for (const { method, reject } of this.#waiting.values()) reject(gone(method));
    this.#waiting.clear();
  }
}

function gone(method: string): H2h3Error {
  return new H2h3Error('process-failed', `the browser ended before it answered ${method}`);
}

function refused(method: string, reason: string): H2h3Error {
  return new H2h3Error('process-failed', `the browser refused ${method}: ${reason}`);
}
