import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Page } from 'puppeteer-core';
import { RequestRest } from '../../src/core/model/request-rest.ts';
import type { ProxyActivity } from './proxy-process.ts';

const pollMs = 50;
/** Kinds of requests that a page sends without waiting for anything. */
const background = new Set(['eventsource', 'websocket', 'ping', 'cspviolationreport']);

/** What the browser says of a service worker that is about to ask for something: its script, or what it prepares. */
const busyStates = new Set(['new', 'installing', 'activating']);

/**
 * When a page has come to rest. Three sides are asked, because each sees what the others do not: the page's own events
 * (what waits in the browser), the proxy (what workers ask for, whose requests are not among the page's, and whether
 * the answer was written), and the browser's service workers (a registered one has asked for nothing yet, and on a
 * loaded machine takes longer to start than any pause).
 */
export class QuietPage {
  /** Every address that the page asked for, without anchors. */
  readonly asked = new Set<string>();
  /** Requests that came to nothing, as the browser tells it. */
  readonly failures: { readonly method: string; readonly url: string; readonly reason: string }[] = [];
  /** What a replay cannot give and the page asked for. */
  readonly lacks: { readonly feature: string; readonly url: string }[] = [];
  readonly #page: Page;
  readonly #activity: () => Promise<readonly ProxyActivity[]>;
  readonly #ofPage = new RequestRest(performance.now());
  readonly #ofProxy = new RequestRest(performance.now());
  readonly #busyWorkers = new Set<string>();
  #workersMs = performance.now();

  private constructor(page: Page, activity: () => Promise<readonly ProxyActivity[]>) {
    this.#page = page;
    this.#activity = activity;
  }

  /** Call before the page is loaded. @param activity steps of requests since the last call */
  static async follow(page: Page, activity: () => Promise<readonly ProxyActivity[]>): Promise<QuietPage> {
    const quiet = new QuietPage(page, activity);
    const session = await page.createCDPSession();
    await quiet.#followRequests(session);
    await quiet.#followServiceWorkers(session);
    return quiet;
  }

  /** The load event has fired, or will not. */
  loaded(): void {
    this.#ofPage.loaded(performance.now());
    this.#ofProxy.loaded(performance.now());
  }

  /** False when it did not come to rest for `quietMs` until `giveUpAtMs` on the clock of `performance.now()`, or the signal was given. */
  async wait(quietMs: number, giveUpAtMs: number, signal: AbortSignal): Promise<boolean> {
    this.loaded();
    while (performance.now() < giveUpAtMs && !signal.aborted) {
      // A page that does not answer was at work, whatever it will ask for.
      if ((await this.#quietForMs()) >= quietMs && (await this.#answers(giveUpAtMs, quietMs))) return true;
      await wait(pollMs);
    }
    return false;
  }

  async #followRequests(session: CDPSession): Promise<void> {
    const urls = new Map<string, { method: string; url: string }>();
    session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (!/^https?:/.test(request.url)) return;
      this.asked.add(request.url.replace(/#.*$/, ''));
      urls.set(requestId, request);
      if (background.has((type ?? '').toLowerCase())) return;
      const body = request.postData ?? '';
      this.#ofPage.sent(requestId, `${request.method} ${request.url} ${body}`, performance.now());
    });
    const progress = ({ requestId }: { requestId: string }): void =>
      this.#ofPage.progressed(requestId, performance.now());
    session.on('Network.responseReceived', progress);
    session.on('Network.dataReceived', progress);
    session.on('Network.loadingFinished', ({ requestId }) =>
      this.#ofPage.ended(requestId, performance.now()),
    );
    session.on('Network.loadingFailed', ({ requestId, errorText, blockedReason }) => {
      this.#ofPage.ended(requestId, performance.now());
      const request = urls.get(requestId);
      if (request)
        this.failures.push({ method: request.method, url: request.url, reason: blockedReason ?? errorText });
    });
    session.on('Network.webTransportCreated', ({ url }) => this.lacks.push({ feature: 'WebTransport', url }));
    session.on('Network.webSocketCreated', ({ url }) => this.lacks.push({ feature: 'WebSocket', url }));
    await session.send('Network.enable');
  }

  async #followServiceWorkers(session: CDPSession): Promise<void> {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { versionId, status, runningStatus } of versions) {
        const isGone = status === 'redundant' || runningStatus === 'stopped';
        const isBusy = runningStatus === 'starting' || (busyStates.has(status) && !isGone);
        if (isBusy) this.#busyWorkers.add(versionId);
        else this.#busyWorkers.delete(versionId);
        this.#workersMs = performance.now();
      }
    });
    await session.send('ServiceWorker.enable');
  }

  async #quietForMs(): Promise<number> {
    for (const { step, id, key, stream } of await this.#activity()) {
      const nowMs = performance.now();
      if (step === 'sent' && stream !== true) this.#ofProxy.sent(id, key ?? id, nowMs);
      else if (step === 'ended') this.#ofProxy.ended(id, nowMs);
      else this.#ofProxy.progressed(id, nowMs);
    }
    if (this.#busyWorkers.size > 0) return 0;
    const nowMs = performance.now();
    return Math.min(this.#ofPage.quietForMs(nowMs), this.#ofProxy.quietForMs(nowMs), nowMs - this.#workersMs);
  }

  /** Whether the page's thread answers, and nothing was asked for meanwhile. */
  async #answers(giveUpAtMs: number, quietMs: number): Promise<boolean> {
    const answer = this.#page.evaluate('0').then(
      () => true,
      // A page that navigates just now is not at rest.
      () => false,
    );
    const leftMs = Math.max(0, giveUpAtMs - performance.now());
    const answered = await Promise.race([answer, wait(leftMs, false, { ref: false })]);
    return answered && (await this.#quietForMs()) >= quietMs;
  }
}
