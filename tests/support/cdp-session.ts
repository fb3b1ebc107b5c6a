import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { CdpSession } from '../../harness/browsers/chromium/cdp-connection.ts';

/** A session whose browser is the test: it says `receive`, and answers every command by `answer`. */
export class ScriptedSession extends CdpSession {
  readonly #events: EventEmitter;

  constructor(id: string, answer: (method: string) => Promise<unknown> = () => Promise.resolve({})) {
    const events = new EventEmitter();
    const channel = { send: answer, on: events.on.bind(events) };
    super(channel as unknown as CDPSession, id);
    this.#events = events;
  }

  receive(method: string, params: object): void {
    this.#events.emit(method, params);
  }
}
