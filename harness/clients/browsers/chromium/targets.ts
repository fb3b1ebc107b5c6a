import type { Protocol } from 'puppeteer-core';
import { within } from '../deadline.ts';
import type { CdpConnection, CdpSession } from './cdp-connection.ts';

type Attached = Protocol.Target.AttachedToTargetEvent;

/** Called for each session of a new target while it waits to start. */
type TargetListener = (session: CdpSession, info: Attached['targetInfo']) => void;

const attachOptions: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
};

/** A target that does not answer has no timeline that could be read. */
const answerLimitMs = 1000;

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

  /** From now on every target is attached before it runs. */
  async start(): Promise<void> {
    await this.#connection.root.send('Target.setAutoAttach', attachOptions);
  }

  /** Attaches to the first page, and to nothing else. */
  async firstPageAlone(): Promise<CdpSession> {
    const { root } = this.#connection;
    const found = new Promise<string>((resolve) => {
      root.on('Target.targetCreated', ({ targetInfo }) => {
        if (targetInfo.type === 'page') resolve(targetInfo.targetId);
      });
    });
    await root.send('Target.setDiscoverTargets', { discover: true });
    const targetId = await found;
    await root.send('Target.setDiscoverTargets', { discover: false });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = this.#connection.session(sessionId);
    this.#follow(session);
    return session;
  }

  /** Attaches to every frame of another process and every worker that is there by now; each target once. */
  async attachAll(): Promise<readonly { readonly session: CdpSession; readonly type: string }[]> {
    await this.start();
    // A target announces what is below it when it is asked.
    for (let asked = 0; asked < this.#known.length;) {
      const targets = this.#known.slice(asked);
      asked += targets.length;
      await Promise.allSettled(
        targets.map(({ session }) =>
          within(session.send('Target.setAutoAttach', attachOptions), answerLimitMs, 'attaching'),
        ),
      );
    }
    const byTarget = new Map(
      this.#known.map(({ session, info }) => [info.targetId, { session, type: info.type }]),
    );
    return [...byTarget.values()].filter(({ type }) => type !== 'page');
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
    // A second session with the browser is a journey's: what was asked of it would be answered to the journey.
    if (targetInfo.type === 'browser') return;
    const session = this.#connection.session(sessionId);
    this.#known.push({ session, info: targetInfo });
    this.#follow(session);
    for (const listener of this.#listeners) listener(session, targetInfo);
    session.send('Target.setAutoAttach', attachOptions).catch(ignoreFailure);
    if (waitingForDebugger) session.send('Runtime.runIfWaitingForDebugger').catch(ignoreFailure);
  }
}
