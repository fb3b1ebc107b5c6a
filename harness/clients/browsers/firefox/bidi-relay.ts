import type { SharedTransport } from './shared-transport.ts';

/** Above every number that the harness gives its own commands. */
const firstId = 1_000_000_000;

interface Command {
  readonly id: number;
  readonly method: string;
  readonly params?: { readonly context?: string };
}

interface Answer {
  readonly type: 'success' | 'error' | 'event';
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly context?: string; readonly parent?: string | null };
}

/** What is known of the session that is shared. */
interface SharedSession {
  /** What Firefox answered to `session.new`. */
  readonly session: object;
  /** The page that is measured. */
  readonly page: string;
}

/**
 * A second speaker in a session of WebDriver BiDi. Firefox has one session at a time, so what begins or ends a session is
 * answered here; bodies are not collected, as this would be in what is measured.
 */
export class BidiRelay {
  readonly #transport: SharedTransport;
  readonly #shared: SharedSession;
  readonly misdeed: Promise<string>;
  #misdo: (what: string) => void = () => undefined;
  onMessage: (message: string) => void = () => undefined;

  constructor(transport: SharedTransport, shared: SharedSession) {
    this.#transport = transport;
    this.#shared = shared;
    this.misdeed = new Promise((resolve) => (this.#misdo = resolve));
    transport.divert((message) => this.#take(message));
  }

  send(message: string): void {
    const command = JSON.parse(message) as Command;
    const { id, method, params } = command;
    if (method === 'browsingContext.close' && params?.context === this.#shared.page)
      this.#misdo('closed the page');
    if (method === 'browser.close') this.#misdo('closed the browser');
    const answer = this.#answerTo(method);
    if (answer === null) this.#transport.send(JSON.stringify({ ...command, id: firstId + id }));
    else queueMicrotask(() => this.onMessage(JSON.stringify({ ...answer, id })));
  }

  #answerTo(method: string): object | null {
    switch (method) {
      case 'session.status':
        return { type: 'success', result: { ready: true, message: '' } };
      case 'session.new':
        return { type: 'success', result: this.#shared.session };
      case 'session.end':
      case 'browser.close':
        return { type: 'success', result: {} };
      case 'network.addDataCollector':
        return { type: 'error', error: 'unsupported operation', message: 'bodies are not kept in a journey' };
      default:
        return null;
    }
  }

  /** Answers are for the asker, events for both. */
  #take(message: string): boolean {
    const answer = JSON.parse(message) as Answer;
    if (answer.type === 'event') {
      this.#judge(answer);
      this.onMessage(message);
      return false;
    }
    if (answer.id === undefined || answer.id < firstId) return false;
    this.onMessage(JSON.stringify({ ...answer, id: answer.id - firstId }));
    return true;
  }

  #judge({ method, params: { context, parent } = {} }: Answer): void {
    const isPage = context === this.#shared.page;
    if (method === 'browsingContext.contextDestroyed' && isPage) this.#misdo('closed the page');
    if (method === 'browsingContext.contextCreated' && !isPage && parent === null)
      this.#misdo('opened a window');
  }
}
