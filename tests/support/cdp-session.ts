import { EventEmitter } from 'node:events';
import { CdpSession, type CdpSend } from '../../harness/clients/browsers/chromium/cdp-connection.ts';

/** A session whose browser is the test: it says `receive`, and answers every command by `answer`. */
export class ScriptedSession extends CdpSession {
  readonly #events: EventEmitter;

  constructor(id: string, answer: (method: string) => Promise<unknown> = () => Promise.resolve({})) {
    const events = new EventEmitter();
    super(
      {
        send: answer as CdpSend,
        on: (event, listener) => events.on(event, listener as (params: unknown) => void),
      },
      id,
    );
    this.#events = events;
  }

  receive(method: string, params: object): void {
    this.#events.emit(method, params);
  }
}
