import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { H2h3Error, messageOf } from '../../../src/model/errors.ts';
import { pageTimingsSchema, type PageTimings } from '../../../src/model/raw-trial.ts';
import { killTree } from '../../processes/kill-tree.ts';
import type { BrowserRecording, BrowserSession } from '../browser.ts';
import { within } from '../deadline.ts';
import type { LaunchedProcess } from '../launched-process.ts';
import { pageTimingsExpression, sessionExpression } from '../page-script.ts';
import { logRequests, logRequestsOfChildren } from './attach.ts';
import { harOf } from './har.ts';
import { NetworkLog } from './network-log.ts';
import { Screencast } from './screencast.ts';

/** A renderer that does not answer at the end of a trial must not hold it up. */
const answerLimitMs = 2000;

export interface ChromiumParts {
  readonly name: string;
  readonly version: string;
  readonly rootPid: number;
  /** A session of the one tab. */
  readonly page: CDPSession;
  readonly frames: boolean;
  readonly networkEvents: boolean;
  readonly launched: LaunchedProcess;
  readonly warnings: readonly string[];
}

export class ChromiumSession implements BrowserSession {
  readonly name: string;
  readonly version: string;
  readonly rootPid: number;
  readonly #page: CDPSession;
  readonly #log: NetworkLog | null;
  readonly #screencast: Screencast | null;
  readonly #warnings: string[];
  readonly #launched: LaunchedProcess;
  readonly #loaded: Promise<void>;
  /** Rejects when the browser or the tab's process is gone. */
  readonly #crashed: Promise<never>;
  #url = 'about:blank';
  #domContentSeconds: number | null = null;
  #loadSeconds: number | null = null;

  constructor(parts: ChromiumParts) {
    this.name = parts.name;
    this.version = parts.version;
    this.rootPid = parts.rootPid;
    this.#page = parts.page;
    this.#log = parts.networkEvents ? new NetworkLog() : null;
    this.#screencast = parts.frames ? new Screencast(parts.page) : null;
    this.#warnings = [...parts.warnings];
    this.#launched = parts.launched;
    this.#crashed = this.#crash();
    this.#crashed.catch(() => undefined);
    parts.page.on('Page.domContentEventFired', ({ timestamp }) => (this.#domContentSeconds = timestamp));
    this.#loaded = new Promise((resolve) => {
      parts.page.on('Page.loadEventFired', ({ timestamp }) => {
        this.#loadSeconds = timestamp;
        resolve();
      });
    });
  }

  stderrTail(): string {
    return this.#launched.stderrTail();
  }

  async startRecording(): Promise<void> {
    if (this.#log) logRequestsOfChildren(this.#page, this.#log);
    await Promise.all([
      this.#log && logRequests(this.#page, this.#log),
      this.#page.send('Page.enable'),
      this.#page.send('Inspector.enable'),
      this.#screencast?.start(),
    ]);
  }

  async navigate(url: string, deadlineMs: number): Promise<void> {
    this.#url = url;
    await within(Promise.race([this.#load(url), this.#crashed]), deadlineMs, `loading ${url}`);
  }

  async #load(url: string): Promise<void> {
    const { errorText } = await this.#page.send('Page.navigate', { url });
    if (errorText !== undefined)
      throw new H2h3Error('process-failed', `${this.name} could not load ${url}: ${errorText}`, {
        context: { url, got: errorText },
      });
    await this.#loaded;
  }

  async waitUntilQuiet(quietMs: number, deadlineMs: number): Promise<boolean> {
    const startMs = performance.now();
    const endMs = startMs + deadlineMs;
    for (;;) {
      const leftMs = quietMs - (this.#log?.quietForMs() ?? performance.now() - startMs);
      if (leftMs <= 0) return true;
      const untilEndMs = endMs - performance.now();
      if (untilEndMs <= 0) return false;
      await sleep(Math.min(leftMs, untilEndMs));
    }
  }

  async sessionResult(deadlineMs: number): Promise<unknown> {
    const session = Promise.race([this.#evaluate(sessionExpression), this.#crashed]);
    const json = await within(session, deadlineMs, 'the session of the page');
    return JSON.parse(String(json));
  }

  async stopRecording(): Promise<BrowserRecording> {
    const timings = await this.#timings();
    await this.#attempt(this.#screencast?.stop(), 'stopping the recording of frames');
    const pageEvents = {
      url: this.#url,
      domContentSeconds: this.#domContentSeconds,
      loadSeconds: this.#loadSeconds,
    };
    const requests = [...(this.#log?.requests ?? [])];
    const recorded = this.#screencast?.frames(timings?.timeOriginEpochMs ?? Infinity);
    return {
      timings,
      frames: recorded?.frames ?? null,
      warnings: [...this.#warnings, ...(recorded?.warnings ?? [])],
      buildHar: () => harOf(pageEvents, requests),
    };
  }

  async close(): Promise<void> {
    await killTree(this.rootPid);
  }

  #crash(): Promise<never> {
    return new Promise((_, reject) => {
      const fail = (what: string): void => reject(new H2h3Error('process-failed', `${this.name}: ${what}`));
      this.#page.on('Inspector.targetCrashed', () => fail('the process of the page crashed'));
      this.#launched.onExit(() => fail('the browser ended by itself'));
    });
  }

  async #timings(): Promise<PageTimings | null> {
    const value = await this.#attempt(
      this.#evaluate(pageTimingsExpression),
      'reading the timings of the page',
    );
    const parsed = pageTimingsSchema.nullable().safeParse(value ?? null);
    if (!parsed.success)
      this.#warnings.push(`the timings of the page are not as expected: ${parsed.error.message}`);
    return parsed.data ?? null;
  }

  async #evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#page.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new H2h3Error('process-failed', 'a script failed in the page', {
        context: { got: exceptionDetails.exception?.description ?? exceptionDetails.text },
      });
    return result.value;
  }

  async #attempt<T>(work: Promise<T> | undefined, what: string): Promise<T | undefined> {
    if (work === undefined) return undefined;
    try {
      return await within(work, answerLimitMs, what);
    } catch (thrown) {
      this.#warnings.push(`${what} failed: ${messageOf(thrown)}`);
      return undefined;
    }
  }
}
