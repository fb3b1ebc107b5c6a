import type { Protocol } from 'puppeteer-core';
import type { CdpConnection, CdpSession } from './cdp-connection.ts';

type Attached = Protocol.Target.AttachedToTargetEvent;

/** Called for each session of a new target while it waits to start. */
type TargetListener = (session: CdpSession, info: Attached['targetInfo']) => void;

const attachOptions: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
};

/** A target may be gone already, or have no such domain. */
const ignoreFailure = (): void => undefined;

/**
 * Attaches to every page, subframe of another process, and worker that the browser has or makes. Each waits
 * until this has seen it, so that none of its requests is missed.
 */
export class Targets {
  readonly #connection: CdpConnection;
  readonly #known: { readonly session: CdpSession; readonly info: Attached['targetInfo'] }[] = [];
  readonly #listeners: TargetListener[] = [];
  readonly #detached: ((session: CdpSession) => void)[] = [];

  constructor(connection: CdpConnection) {
    this.#connection = connection;
    this.#follow(connection.root);
  }

  async start(): Promise<void> {
    await this.#connection.root.send('Target.setAutoAttach', attachOptions);
  }

  /** Resolves with the first page. */
  firstPage(): Promise<CdpSession> {
    const page = this.#known.find(({ info }) => info.type === 'page');
    if (page) return Promise.resolve(page.session);
    return new Promise((resolve) => {
      this.#listeners.push((session, info) => {
        if (info.type === 'page') resolve(session);
      });
    });
  }

  /** Calls `attached` for every session that comes from now on, and `detached` when one has gone. */
  observe(attached: TargetListener, detached: (session: CdpSession) => void): void {
    this.#listeners.push(attached);
    this.#detached.push(detached);
  }

  #follow(parent: CdpSession): void {
    parent.on('Target.attachedToTarget', (event) => this.#attached(event));
    parent.on('Target.detachedFromTarget', ({ sessionId }) => {
      const session = this.#connection.session(sessionId);
      for (const listener of this.#detached) listener(session);
    });
  }

  /**
   * A service worker is announced by the browser and by its page, each with a session of its own. Any of them lets it
   * run, and commands keep their order within one session only: so every session has its commands before that one.
   */
  #attached({ sessionId, targetInfo, waitingForDebugger }: Attached): void {
    const session = this.#connection.session(sessionId);
    this.#known.push({ session, info: targetInfo });
    this.#follow(session);
    for (const listener of this.#listeners) listener(session, targetInfo);
    session.send('Target.setAutoAttach', attachOptions).catch(ignoreFailure);
    if (waitingForDebugger) session.send('Runtime.runIfWaitingForDebugger').catch(ignoreFailure);
  }
}
