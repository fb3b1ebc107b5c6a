import type { Protocol } from 'puppeteer-core';
import type { CdpConnection, CdpSession } from './cdp-connection.ts';

type Attached = Protocol.Target.AttachedToTargetEvent;

/**
 * Called for each new target while it waits to start; commands sent here at once are obeyed before its first request.
 * Resolves when they have been.
 */
type TargetListener = (session: CdpSession, info: Attached['targetInfo']) => Promise<unknown> | undefined;

interface Target {
  readonly session: CdpSession;
  readonly info: Attached['targetInfo'];
  /** Resolves when every listener's commands were obeyed. */
  readonly prepared: Promise<unknown>;
}

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
  readonly #known: Target[] = [];
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
        return undefined;
      });
    });
  }

  /** Calls `attached` for every target that comes from now on, and `detached` when one has gone. */
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

  #attached({ sessionId, targetInfo, waitingForDebugger }: Attached): void {
    const session = this.#connection.session(sessionId);
    const resume = (): void => {
      if (waitingForDebugger) session.send('Runtime.runIfWaitingForDebugger').catch(ignoreFailure);
    };
    // Service workers are announced by the browser and by their page: one session of each target is enough. But any
    // session lets the target run, and commands are in order within one session only: the second must not let it run
    // before the commands of the first were obeyed, or the answer to a worker's script goes by unseen.
    const known = this.#known.find(({ info }) => info.targetId === targetInfo.targetId);
    if (known !== undefined) return void known.prepared.then(resume);
    this.#announce(session, targetInfo);
    resume();
  }

  #announce(session: CdpSession, info: Attached['targetInfo']): void {
    this.#follow(session);
    const done = this.#listeners.map(async (listener) => listener(session, info));
    this.#known.push({ session, info, prepared: Promise.allSettled(done) });
    session.send('Target.setAutoAttach', attachOptions).catch(ignoreFailure);
  }
}
