import { BidiConnection } from 'puppeteer-core/internal/bidi/Connection.js';
import { NodeWebSocketTransport } from 'puppeteer-core/internal/node/NodeWebSocketTransport.js';
import { BidiRelay } from './bidi-relay.ts';
import { SharedTransport } from './shared-transport.ts';
import type { ConsoleLine } from '../../../../src/core/model/journey-failure.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

/** Where a script runs: in the page of the tab, or with the browser's privileges in its window. */
export type ScriptScope = 'page' | 'browser';

interface BidiCreated {
  readonly capabilities: { readonly browserName: string; readonly browserVersion: string };
}

interface ScriptResult {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

interface FrameTree {
  readonly context: string;
  readonly children: readonly FrameTree[] | null;
}

/** https://w3c.github.io/webdriver-bidi/#types-log-logentry */
interface LogEntry {
  readonly level: string;
  readonly text: string | null;
  readonly timestamp: number;
  readonly source: { readonly context?: string };
}

type Send = (method: string, params: object) => Promise<{ result: unknown }>;

/**
 * A WebDriver BiDi session over Puppeteer's protocol layer. Puppeteer's `Browser` is left out on purpose: on
 * Firefox it subscribes to all events, has response bodies collected, and puts all sites into one process.
 */
export class BidiSession {
  readonly #connection: BidiConnection;
  readonly #transport: SharedTransport;
  readonly #send: Send;
  browserName = '';
  browserVersion = '';
  #created: BidiCreated | null = null;
  #page = '';
  #window = '';

  private constructor(connection: BidiConnection, transport: SharedTransport) {
    this.#connection = connection;
    this.#transport = transport;
    // Mozilla's own parameters (`moz:scope`) are not in Puppeteer's types.
    this.#send = connection.send.bind(connection) as unknown as Send;
  }

  /**
   * @param endpoint as the browser prints it
   * @param acceptInsecureCerts whether it accepts any certificate
   * @throws Error when the browser refuses
   */
  static async open(endpoint: string, acceptInsecureCerts: boolean): Promise<BidiSession> {
    const noLog = (): undefined => undefined;
    const socket = await NodeWebSocketTransport.create(`${endpoint}/session`, undefined, noLog);
    const transport = new SharedTransport(socket);
    let lastId = 0;
    const connection = new BidiConnection(endpoint, transport, () => ++lastId, 0, 0, noLog);
    const session = new BidiSession(connection, transport);
    await session.#begin(acceptInsecureCerts);
    return session;
  }

  async #begin(acceptInsecureCerts: boolean): Promise<void> {
    const capabilities = {
      alwaysMatch: { acceptInsecureCerts, unhandledPromptBehavior: { default: 'accept' } },
    };
    const created = await this.send<BidiCreated>('session.new', { capabilities });
    this.#created = created;
    this.browserName = created.capabilities.browserName;
    this.browserVersion = created.capabilities.browserVersion;
    [this.#page, this.#window] = await Promise.all([
      this.#firstContext({ maxDepth: 0 }),
      this.#firstContext({ maxDepth: 0, 'moz:scope': 'chrome' }),
    ]);
  }

  async #firstContext(params: object): Promise<string> {
    const { contexts } = await this.send<{ contexts: { context: string }[] }>(
      'browsingContext.getTree',
      params,
    );
    const first = contexts[0];
    if (first === undefined) throw new H2h3Error('internal', 'Firefox opened no tab');
    return first.context;
  }

  async send<T>(method: string, params: object): Promise<T> {
    const { result } = await this.#send(method, params);
    return result as T;
  }

  /** Resolves at the load event. */
  async navigate(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.#page, url, wait: 'complete' });
  }

  async setViewport(
    viewport: { readonly width: number; readonly height: number },
    devicePixelRatio: number,
  ): Promise<void> {
    await this.send('browsingContext.setViewport', { context: this.#page, viewport, devicePixelRatio });
  }

  /** Value of `expression`, or of the promise that it is: a primitive. @throws H2h3Error when it throws. */
  async evaluate(scope: ScriptScope, expression: string): Promise<unknown> {
    return this.evaluateIn({ context: scope === 'page' ? this.#page : this.#window }, expression);
  }

  /** The same in one frame or worker. */
  async evaluateIn(
    target: { readonly context: string } | { readonly realm: string },
    expression: string,
  ): Promise<unknown> {
    const outcome = await this.send<ScriptResult>('script.evaluate', {
      target,
      expression,
      awaitPromise: true,
    });
    if (outcome.type === 'exception') {
      const place = 'context' in target && target.context === this.#window ? 'browser' : 'page';
      throw new H2h3Error('process-failed', `a script failed in Firefox's ${place}`, {
        context: { got: outcome.exceptionDetails?.text ?? 'unknown exception' },
      });
    }
    return outcome.result?.value;
  }

  /** Every frame below the page, at any depth. */
  async framesOfPage(): Promise<string[]> {
    const { contexts } = await this.send<{ contexts: FrameTree[] }>('browsingContext.getTree', {
      root: this.#page,
    });
    const below = ({ children }: FrameTree): string[] =>
      (children ?? []).flatMap((child) => [child.context, ...below(child)]);
    return contexts.flatMap(below);
  }

  /** Realms of workers, as far as this Firefox names them. */
  async workerRealms(): Promise<string[]> {
    const { realms } = await this.send<{ realms: { realm: string; type: string }[] }>('script.getRealms', {});
    return realms.filter(({ type }) => type.endsWith('worker')).map(({ realm }) => realm);
  }

  /** `expression` is evaluated in every new document of the tab, before the document's own scripts. */
  async addPreloadScript(expression: string): Promise<void> {
    await this.send('script.addPreloadScript', {
      functionDeclaration: `() => { ${expression} }`,
      contexts: [this.#page],
    });
  }

  /** Calls `listener` with every dialog that the page opens; the browser says yes to each by itself. */
  async onDialog(listener: (type: string, message: string) => void): Promise<void> {
    const opened = 'browsingContext.userPromptOpened';
    this.#connection.on(opened, (event: { readonly type: string; readonly message: string }) =>
      listener(event.type, event.message),
    );
    await this.send('session.subscribe', { events: [opened] });
  }

  /** Calls one of these with each step of a navigation of the tab, by the navigation's id; what this Firefox does not tell never comes. */
  async onNavigation(listeners: {
    /** `epochMs`: when the browser set out, by its own clock. */
    readonly started: (id: string, epochMs: number) => void;
    readonly committed: (id: string, url: string) => void;
    /** Its load event has fired, or it came to nothing. */
    readonly ended: (id: string) => void;
  }): Promise<void> {
    const { started, committed, ended } = listeners;
    const steps = [
      [
        'browsingContext.navigationStarted',
        (id: string, _url: string, epochMs: number) => started(id, epochMs),
      ],
      ['browsingContext.navigationCommitted', committed],
      ['browsingContext.load', ended],
      ['browsingContext.navigationFailed', ended],
    ] as const;
    for (const [event, listener] of steps) {
      this.#connection.on(event, ({ context, navigation, url, timestamp }) => {
        if (context === this.#page && navigation !== null) listener(navigation, url, timestamp);
      });
      // Older versions lack some of these events.
      await this.send('session.subscribe', { events: [event], contexts: [this.#page] }).catch(
        () => undefined,
      );
    }
  }

  /** The viewport, as a JPEG. */
  async screenshot(): Promise<Buffer> {
    const format = { type: 'image/jpeg', quality: 0.7 };
    const { data } = await this.send<{ data: string }>('browsingContext.captureScreenshot', {
      context: this.#page,
      format,
    });
    return Buffer.from(data, 'base64');
  }

  /**
   * The lines of the page's console. Firefox keeps them and hands them over on subscription. Another user of this session may have
   * subscribed before, so lines are taken from the beginning on.
   */
  console(): { read(): Promise<ConsoleLine[]> } {
    const lines = new Map<string, ConsoleLine>();
    this.#connection.on('log.entryAdded', ({ level, text, timestamp, source }: LogEntry) => {
      if (source.context !== this.#page) return;
      const line = { level, text: text ?? '' };
      lines.set(JSON.stringify([timestamp, line]), line);
    });
    return {
      read: async () => {
        await this.send('session.subscribe', { events: ['log.entryAdded'], contexts: [this.#page] });
        return [...lines.values()];
      },
    };
  }

  /** A second speaker over this session: Firefox has one session only. */
  share(): BidiRelay {
    return new BidiRelay(this.#transport, { session: this.#created ?? {}, page: this.#page });
  }

  /** Takes no answer any more; the browser is not told. */
  abandon(): void {
    this.#connection.dispose();
  }
}
