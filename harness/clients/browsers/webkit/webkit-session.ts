import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { pageTimingsSchema } from '../../../../src/core/model/raw-trial.ts';
import type { ClientRecord } from '../../client-driver.ts';
import type { BrowserSession } from '../browser.ts';
import { timelineSchema } from '../../../../src/core/model/timeline.ts';
import { untilRest } from '../../rest-from-outside.ts';
import { within } from '../deadline.ts';
import type { JourneyPort } from '../journey-port.ts';
import { pageTimingsExpression, timelineExpression } from '../page-script.ts';
import type { WebDriver } from './webdriver.ts';

const endLimitMs = 10_000;

export interface WebKitParts {
  readonly page: WebDriver;
  readonly rootPid: number;
  /** Rejects when the driver is gone. */
  readonly gone: Promise<never>;
  readonly close: () => Promise<void>;
  readonly stderrTail: () => string;
  readonly warnings: readonly string[];
  /** Where a server of ours answers; undefined: none does. */
  readonly serverAddress: string | undefined;
}

/** What is known of a page's requests is what the page knows itself: WebDriver has no events of the network. */
export class WebKitSession implements BrowserSession {
  readonly name = 'WebKitGTK';
  readonly version: string;
  readonly rootPid: number;
  readonly stderrTail: () => string;
  readonly gone: Promise<never>;
  readonly #parts: WebKitParts;
  readonly #warnings: string[];

  constructor(parts: WebKitParts) {
    this.#parts = parts;
    this.#warnings = [...parts.warnings];
    this.gone = parts.gone;
    this.version = parts.page.browserVersion;
    this.rootPid = parts.rootPid;
    this.stderrTail = parts.stderrTail;
  }

  startRecording(): Promise<void> {
    return Promise.resolve();
  }

  async navigate(url: string, deadlineMs: number): Promise<void> {
    const { page, gone } = this.#parts;
    await page.setTimeouts(deadlineMs, endLimitMs);
    await within(Promise.race([page.navigate(url), gone]), deadlineMs, `loading ${url}`);
  }

  openJourney(): Promise<JourneyPort> {
    return Promise.reject(new H2h3Error('unsupported', 'WebKit has no way in for a script'));
  }

  waitUntilQuiet(quietMs: number, limitMs: number): Promise<boolean> {
    const warn = (text: string): void => void this.#warnings.push(text);
    return Promise.race([
      untilRest({ rootPid: this.rootPid, quietMs, limitMs, serverAddress: this.#parts.serverAddress, warn }),
      this.gone,
    ]);
  }

  sessionResult(): Promise<unknown> {
    return Promise.reject(new H2h3Error('unsupported', 'WebKit loads pages alone'));
  }

  async stopRecording(): Promise<ClientRecord> {
    const timings = pageTimingsSchema.nullable().parse(await this.#ask(pageTimingsExpression));
    const timeline = timelineSchema.parse(JSON.parse(String(await this.#ask(timelineExpression('page')))));
    return {
      timings,
      frames: null,
      warnings: [
        ...this.#warnings,
        'WebKit gives no frames, and of objects no more than Resource Timing has: no headers, no size of what other hosts do not tell',
      ],
      timelines: [timeline],
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
