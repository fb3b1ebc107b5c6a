import type { Readable, Writable } from 'node:stream';
import type { CDPEvents, CDPSession as PuppeteerSession } from 'puppeteer-core';
import { Connection } from 'puppeteer-core/internal/cdp/Connection.js';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { PipeTransport } from './pipe-transport.ts';

/** Chrome DevTools Protocol: typed by Puppeteer's declarations. */
export type CdpSend = PuppeteerSession['send'];

/** What Puppeteer's connection and its sessions have in common. */
interface Channel {
  readonly send: CdpSend;
  on(event: string, listener: (params: never) => void): unknown;
}

/** Puppeteer types a connection's events by its own; the browser's are passed on by their names all the same. */
function channelOf(puppeteer: Connection | NonNullable<ReturnType<Connection['session']>>): Channel {
  return puppeteer as unknown as Channel;
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

/** One attached target; the connection's `root` is the browser itself. */
export class CdpSession {
  readonly id: string | undefined;
  readonly #channel: Channel;

  constructor(channel: Channel, id: string | undefined) {
    this.#channel = channel;
    this.id = id;
  }

  /** Resolves with the command's result. @throws H2h3Error `process-failed` when the browser refuses or is gone. */
  readonly send: CdpSend = async (method, params) => {
    try {
      return await this.#channel.send(method, params);
    } catch (thrown) {
      throw new H2h3Error('process-failed', `the browser did not do ${method}: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
  };

  on<Name extends keyof CDPEvents>(name: Name, listener: (params: CDPEvents[Name]) => void): void {
    this.#channel.on(name, listener);
  }
}

/**
 * Puppeteer's protocol connection over a transport of our own. Puppeteer's `Browser` is left out on purpose: it
 * attaches to every target a second time and lets service workers go, so that their requests would be missed.
 */
export class CdpConnection {
  readonly root: CdpSession;
  readonly transport: PipeTransport;
  readonly #connection: Connection;
  readonly #sessions = new Map<string, CdpSession>();

  constructor(write: Writable, read: Readable) {
    this.transport = new PipeTransport(write, read);
    // No limit on a command: a session may be measured for longer than any, and each trial has its deadline.
    this.#connection = new Connection('', this.transport, 0, 0, false, counter(), () => undefined);
    this.root = new CdpSession(channelOf(this.#connection), undefined);
  }

  /** The session of a target that the browser has said is attached. @throws H2h3Error `internal` for any other. */
  session(sessionId: string): CdpSession {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const channel = this.#connection.session(sessionId);
    if (!channel) throw new H2h3Error('internal', `no target is attached as session ${sessionId}`);
    const session = new CdpSession(channelOf(channel), sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }
}
