import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../../../src/model/errors.ts';
import { pageTimingsSchema } from '../../../../src/model/raw-trial.ts';
import type { ClientRecord } from '../../client-driver.ts';
import type { BrowserSession } from '../browser.ts';
import { resourceTimingRowSchema } from '../chromium/resource-timing-row.ts';
import { within } from '../deadline.ts';
import type { JourneyPort } from '../journey-port.ts';
import { pageExpression, pageTimingsExpression } from '../page-script.ts';
import { harOfTimings } from './har-of-timings.ts';
import type { WebDriver } from './webdriver.ts';

const pollMs = 100;
const endLimitMs = 10_000;

/** Evaluates to what Resource Timing kept of the document and of every object. */
const timingsExpression = pageExpression('resource-timings.ts', 'readResourceTimings', [
  'navigation',
  'resource',
]);

export interface WebKitParts {
  readonly page: WebDriver;
  readonly rootPid: number;
  /** Rejects when the driver is gone. */
  readonly gone: Promise<never>;
  readonly close: () => Promise<void>;
  readonly stderrTail: () => string;
  readonly warnings: readonly string[];
}

/** What is known of a page's requests is what the page knows itself: WebDriver has no events of the network. */
export class WebKitSession implements BrowserSession {
  readonly name = 'WebKitGTK';
  readonly version: string;
  readonly rootPid: number;
  readonly stderrTail: () => string;
  readonly #parts: WebKitParts;
  #url = 'about:blank';

  constructor(parts: WebKitParts) {
    this.#parts = parts;
    this.version = parts.page.browserVersion;
    this.rootPid = parts.rootPid;
    this.stderrTail = parts.stderrTail;
  }

  startRecording(): Promise<void> {
    return Promise.resolve();
  }

  async navigate(url: string, deadlineMs: number): Promise<void> {
    this.#url = url;
    const { page, gone } = this.#parts;
    await page.setTimeouts(deadlineMs, endLimitMs);
    await within(Promise.race([page.navigate(url), gone]), deadlineMs, `loading ${url}`);
  }

  openJourney(): Promise<JourneyPort> {
    return Promise.reject(new H2h3Error('unsupported', 'WebKit has no way in for a script'));
  }

  /** An object that is under way is seen when it has come: until then it is quiet. */
  async waitUntilQuiet(quietMs: number, deadlineMs: number): Promise<boolean> {
    const endMs = performance.now() + deadlineMs;
    for (let [count, sinceMs] = [-1, performance.now()]; performance.now() < endMs; await sleep(pollMs)) {
      const now = Number(await this.#ask('performance.getEntriesByType("resource").length'));
      if (now !== count) [count, sinceMs] = [now, performance.now()];
      else if (performance.now() - sinceMs >= quietMs) return true;
    }
    return false;
  }

  sessionResult(): Promise<unknown> {
    return Promise.reject(new H2h3Error('unsupported', 'WebKit loads pages alone'));
  }

  async stopRecording(): Promise<ClientRecord> {
    const timings = pageTimingsSchema.nullable().parse(await this.#ask(pageTimingsExpression));
    const rows = z.array(resourceTimingRowSchema).parse(await this.#ask(timingsExpression));
    const browser = { name: this.name, version: this.version };
    return {
      timings,
      frames: null,
      warnings: [
        ...this.#parts.warnings,
        'WebKit gives no frames, and of objects no more than Resource Timing has: no headers, no size of what other hosts do not tell',
      ],
      buildHar: () => Promise.resolve(harOfTimings({ url: this.#url, timings, browser }, rows)),
    };
  }

  async end(): Promise<void> {
    await within(this.#parts.page.end(), endLimitMs, 'the orderly end of WebKit');
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  async #ask(expression: string): Promise<unknown> {
    const { page, gone } = this.#parts;
    try {
      return await within(Promise.race([page.evaluate(expression), gone]), endLimitMs, 'asking the page');
    } catch (thrown) {
      throw new H2h3Error('process-failed', `WebKit's page does not answer: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
  }
}
