import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Page } from 'puppeteer-core';
import type { ProxyActivity } from './proxy-process.ts';

const pollMs = 100;

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
  readonly #page: Page;
  readonly #activity: () => Promise<ProxyActivity>;
  readonly #underWay = new Set<unknown>();
  readonly #busyWorkers = new Set<string>();
  #proxySeen = 0;
  #lastMs = performance.now();

  private constructor(page: Page, activity: () => Promise<ProxyActivity>) {
    this.#page = page;
    this.#activity = activity;
  }

  /** Call before the page is loaded. */
  static async follow(page: Page, activity: () => Promise<ProxyActivity>): Promise<QuietPage> {
    const quiet = new QuietPage(page, activity);
    quiet.#followRequests();
    await quiet.#followServiceWorkers(await page.createCDPSession());
    return quiet;
  }

  /** False when it did not come to rest for `quietMs` until `giveUpAtMs` on the clock of `performance.now()`, or the signal was given. */
  async wait(quietMs: number, giveUpAtMs: number, signal: AbortSignal): Promise<boolean> {
    while (performance.now() < giveUpAtMs && !signal.aborted) {
      if (await this.#isBusy()) this.#lastMs = performance.now();
      // A page that does not answer was at work, whatever it will ask for.
      else if (performance.now() - this.#lastMs >= quietMs && (await this.#answers(giveUpAtMs))) return true;
      await wait(pollMs);
    }
    return false;
  }

  #followRequests(): void {
    this.#page.on('request', (request) => {
      this.asked.add(request.url().replace(/#.*$/, ''));
      this.#lastMs = performance.now();
      // An event stream ends with its page only.
      if (request.resourceType() !== 'eventsource') this.#underWay.add(request);
    });
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      this.#page.on(end, (request) => {
        this.#underWay.delete(request);
        this.#lastMs = performance.now();
      });
    }
  }

  async #followServiceWorkers(session: CDPSession): Promise<void> {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { versionId, status, runningStatus } of versions) {
        const isGone = status === 'redundant' || runningStatus === 'stopped';
        const isBusy = runningStatus === 'starting' || (busyStates.has(status) && !isGone);
        if (isBusy) this.#busyWorkers.add(versionId);
        else this.#busyWorkers.delete(versionId);
        this.#lastMs = performance.now();
      }
    });
    await session.send('ServiceWorker.enable');
  }

  async #isBusy(): Promise<boolean> {
    const { seen, underWay } = await this.#activity();
    const isNew = seen > this.#proxySeen;
    this.#proxySeen = seen;
    return isNew || underWay > 0 || this.#underWay.size > 0 || this.#busyWorkers.size > 0;
  }

  /** Whether the page's thread answers, and nothing was asked for meanwhile. */
  async #answers(giveUpAtMs: number): Promise<boolean> {
    const lastMs = this.#lastMs;
    const answer = this.#page.evaluate('0').then(
      () => true,
      // A page that navigates just now is not at rest.
      () => false,
    );
    const leftMs = Math.max(0, giveUpAtMs - performance.now());
    const answered = await Promise.race([answer, wait(leftMs, false, { ref: false })]);
    return answered && this.#lastMs === lastMs && !(await this.#isBusy());
  }
}
