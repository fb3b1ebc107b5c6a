import type { ConnectionTransport } from 'puppeteer-core';

/** A transport of which a second listener sees every message first, and may keep it. */
export class SharedTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #transport: ConnectionTransport;
  #takenAway: (message: string) => boolean = () => false;

  constructor(transport: ConnectionTransport) {
    this.#transport = transport;
    transport.onmessage = (message) => void (this.#takenAway(message) || this.onmessage?.(message));
    transport.onclose = () => this.onclose?.();
  }

  /** From now on messages for which `take` answers true are not handed out: they are somebody else's. */
  divert(take: (message: string) => boolean): void {
    this.#takenAway = take;
  }

  send(message: string): void {
    this.#transport.send(message);
  }

  close(): void {
    this.#transport.close();
  }
}
