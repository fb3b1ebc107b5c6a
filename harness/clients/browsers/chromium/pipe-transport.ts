import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

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

const detached = Buffer.from('{"method":"Target.detachedFromTarget"');

function saysDetached(message: Buffer): boolean {
  return message.subarray(0, detached.length).equals(detached);
}

/**
 * The pair of pipes that `--remote-debugging-pipe` opens, for Puppeteer's connection: JSON messages, each ended by a
 * zero byte. Unlike Puppeteer's own it can hold network events back unparsed, and says when each came.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #write: Writable;
  #rest: Buffer[] = [];
  #closed = false;
  #deferring = false;
  readonly #deferred: Deferred[] = [];
  #arrivalMs = performance.now();
  #takenAway: (message: Buffer) => boolean = () => false;

  constructor(write: Writable, read: Readable) {
    this.#write = write;
    // A browser that dies closes both pipes; whatever waits for an answer then learns it from `close`.
    write.on('error', () => this.close());
    read.on('error', () => this.close());
    read.on('close', () => this.close());
    read.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  send(message: string): void {
    this.#write.write(`${message}\0`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  /** From now on messages for which `take` answers true are not handed out: they are somebody else's. */
  divert(take: (message: Buffer) => boolean): void {
    this.#takenAway = take;
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

  #receive(chunk: Buffer): void {
    const arrivalMs = performance.now();
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const message = this.#rest.length === 0 ? chunk.subarray(start, end) : this.#whole(chunk, start, end);
      this.#take(message, arrivalMs);
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    if (this.#deferred.length > deferredMost) this.flush();
  }

  #take(message: Buffer, arrivalMs: number): void {
    if (this.#takenAway(message)) return;
    if (this.#deferring && isNetworkEvent(message)) {
      this.#deferred.push({ message, arrivalMs });
      return;
    }
    // Puppeteer forgets a session with its target: what it said before must be heard before.
    if (this.#deferring && saysDetached(message)) this.flush();
    this.#dispatch(message, arrivalMs);
  }

  #whole(chunk: Buffer, start: number, end: number): Buffer {
    const whole = Buffer.concat([...this.#rest, chunk.subarray(start, end)]);
    this.#rest = [];
    return whole;
  }

  #dispatch(message: Buffer, arrivalMs: number): void {
    this.#arrivalMs = arrivalMs;
    this.onmessage?.(message.toString());
  }
}
