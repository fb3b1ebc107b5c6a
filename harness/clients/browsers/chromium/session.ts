import type { Protocol } from 'puppeteer-core';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { pageTimingsSchema, type PageTimings } from '../../../../src/core/model/raw-trial.ts';
import { timelineEntrySchema, type TimelineEntry } from '../../../../src/core/model/timeline.ts';
import type { Instrumentation } from '../../../../src/core/model/instrumentation.ts';
import type { ClientLaunchOptions, ClientRecord } from '../../client-driver.ts';
import type { BrowserSession } from '../browser.ts';
import type { JourneyPort } from '../journey-port.ts';
import { sleepAfterEvents } from '../../../../src/core/system/after-events.ts';
import { untilRest, watchOwnLink } from '../../rest-from-outside.ts';
import { leftPage, readOfPage, within } from '../deadline.ts';
import {
  journeyRecorderExpression,
  pageTimingsExpression,
  resourceTimingsExpression,
  sessionExpression,
  sessionSoFarExpression,
} from '../page-script.ts';
import { CdpRelay } from './cdp-relay.ts';
import { logRequests } from './attach.ts';
import type { CdpConnection, CdpSession } from './cdp-connection.ts';
import { Dialogs } from './dialogs.ts';
import { consoleOf, screenshotOf } from './page-evidence.ts';
import { harOf } from './har.ts';
import { NetworkLog, type LoggedRequest } from './network-log.ts';
import { readTimelines } from './read-timelines.ts';
import { timesFromStart } from '../times-from-start.ts';
import { ShownDocuments } from './shown-documents.ts';
import type { RunningChromium } from './running-chromium.ts';
import { Screencast } from './screencast.ts';
import type { Targets } from './targets.ts';
import { Tracing } from './tracing.ts';
import { withResourceTimings } from './unlogged-requests.ts';

/** A machine that stood still for longer says nothing of the browser in that time. */
const maxStillMs = 100;
/** A renderer that does not answer at the end of a trial must not hold it up. */
const answerLimitMs = 10_000;
const endLimitMs = 10_000;
/** Within the time that a trial has for the end of its recording: a trace that is longer is left, the trial stays valid. */
const traceLimitMs = 7000;

/** A timeline keeps 250 entries otherwise, and drops the others in silence. */
const keepAllEntries = 'performance.setResourceTimingBufferSize(100000)';

/** From this size on a body's events are worth avoiding. */
const largeBodyBytes = 1_000_000;
/** Parallel requests that begin together are all answered within this time on most paths, and then still logged. */
const eventsEndDelayMs = 250;

function headerOf(headers: Protocol.Network.Headers, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

export interface ChromiumParts {
  readonly name: string;
  readonly version: string;
  readonly browser: RunningChromium;
  /** The one tab. */
  readonly page: CdpSession;
  readonly targets: Targets;
  readonly connection: CdpConnection;
  readonly frames: boolean;
  readonly instrumentation: Instrumentation;
  /** Whether a user's script will drive it. */
  readonly driven: boolean;
  readonly logs: NonNullable<ClientLaunchOptions['logs']>;
  /** Where a server of ours answers; undefined: none does. */
  readonly serverAddress: string | undefined;
  /** Whether quiet means that every request has ended. */
  readonly waitsForAll: boolean;
  readonly warnings: readonly string[];
}

export class ChromiumSession implements BrowserSession {
  readonly name: string;
  readonly version: string;
  readonly rootPid: number;
  readonly processes: BrowserSession['processes'];
  readonly #isUninstrumented: boolean;
  readonly #isDriven: boolean;
  readonly #page: CdpSession;
  readonly #targets: Targets;
  readonly #connection: CdpConnection;
  readonly #log: NetworkLog | null;
  readonly #screencast: Screencast | null;
  readonly #warnings: string[];
  readonly #serverAddress: string | undefined;
  readonly #browser: RunningChromium;
  readonly gone: Promise<never>;
  readonly #dialogs: Dialogs;
  readonly #tracing: Tracing | null;
  /** Whether it must end by itself, because what it writes is whole only then. */
  readonly #endsInOrder: boolean;
  #eventsEnd: NodeJS.Timeout | undefined;
  #eventsEnded = false;
  #url = 'about:blank';
  readonly #documents: ShownDocuments;
  /** How many of them there were when the page had come to rest; absent: nobody waits for that. */
  #documentsAtRest = 1;
  #domContentSeconds: number | null = null;
  #loadSeconds: number | null = null;

  constructor(parts: ChromiumParts) {
    this.name = parts.name;
    this.version = parts.version;
    this.rootPid = parts.browser.pid ?? 0;
    this.processes = parts.browser.processes?.bind(parts.browser);
    this.#page = parts.page;
    this.#isUninstrumented = parts.instrumentation === 'uninstrumented';
    this.#isDriven = parts.driven;
    this.#log = this.#isUninstrumented
      ? null
      : new NetworkLog(() => parts.connection.transport.arrivalMs, parts.waitsForAll);
    this.#screencast = parts.frames ? new Screencast(parts.page) : null;
    this.#warnings = [...parts.warnings];
    this.#browser = parts.browser;
    this.#serverAddress = parts.serverAddress;
    this.#targets = parts.targets;
    this.#connection = parts.connection;
    this.#documents = new ShownDocuments(parts.page);
    this.#dialogs = new Dialogs(parts.page, parts.targets);
    this.#tracing =
      parts.logs.trace === undefined ? null : new Tracing(parts.connection.root, parts.logs.trace);
    this.#endsInOrder = parts.logs.netLog !== undefined;
    this.gone = this.#crash();
    this.gone.catch(() => undefined);
    parts.page.on('Page.domContentEventFired', ({ timestamp }) => (this.#domContentSeconds = timestamp));
    parts.page.on('Page.loadEventFired', ({ timestamp }) => (this.#loadSeconds = timestamp));
  }

  stderrTail(): string {
    return this.#browser.stderrTail();
  }

  async startRecording(): Promise<void> {
    const started = Promise.all([
      this.#log && logRequests(this.#page, this.#targets, this.#log),
      this.#page.send('Page.enable'),
      this.#page.send('Inspector.enable'),
      this.#isUninstrumented &&
        this.#page.send('Page.addScriptToEvaluateOnNewDocument', { source: keepAllEntries }),
      this.#screencast?.start(),
      this.#tracing?.start(),
    ]);
    // A browser that is gone sends no first frame: its end is what went wrong, not the time waited for it.
    await Promise.race([started, this.gone]);
  }

  async navigate(url: string, deadlineMs: number): Promise<void> {
    this.#url = url;
    this.#connection.transport.deferNetworkEvents();
    await within(Promise.race([this.#load(url), this.gone]), deadlineMs, `loading ${url}`);
  }

  async #load(url: string): Promise<void> {
    const loaded = this.#nextLoad();
    this.#documents.begin();
    const { errorText } = await this.#page.send('Page.navigate', { url });
    if (errorText !== undefined)
      throw new H2h3Error('process-failed', `${this.name} could not load ${url}: ${errorText}`, {
        context: { url, netError: errorText },
      });
    await loaded;
  }

  /** The load event of the next document: the one that shows now may still be at its own. */
  #nextLoad(): Promise<void> {
    return new Promise((resolve) => {
      let isShown = false;
      this.#page.on('Page.frameNavigated', ({ frame }) => (isShown ||= frame.parentId === undefined));
      this.#page.on('Page.loadEventFired', () => isShown && resolve());
    });
  }

  /** Where the page redirects by itself, the page is the last document that it leads to. */
  async waitUntilQuiet(quietMs: number, deadlineMs: number): Promise<boolean> {
    const endMs = performance.now() + deadlineMs;
    for (;;) {
      const isQuiet = await this.#quiet(quietMs, endMs - performance.now());
      this.#documentsAtRest = this.#documents.count;
      if (!isQuiet || !this.#documents.isUnderWay) return isQuiet;
      const shown = Promise.race([this.#documents.settled(), this.gone]);
      await within(shown, endMs - performance.now(), 'loading what the page led on to');
    }
  }

  async #quiet(quietMs: number, deadlineMs: number): Promise<boolean> {
    const log = this.#log;
    if (log === null) return this.#rest(quietMs, deadlineMs);
    const endMs = performance.now() + deadlineMs;
    const hasTraffic = watchOwnLink();
    log.loaded();
    for (;;) {
      if (hasTraffic?.() === true) log.arrived();
      this.#connection.transport.flush();
      // The browser does not always tell that a request failed whose page made room for that of the error.
      if (this.#documents.unreachable !== undefined) return true;
      const leftMs = quietMs - log.quietForMs();
      if (leftMs <= 0) return true;
      const untilEndMs = endMs - performance.now();
      if (untilEndMs <= 0) return false;
      const askedMs = Math.min(leftMs, untilEndMs);
      const beganMs = performance.now();
      // What the browser has told of meanwhile ends the quiet, also where this process had no CPU to hear of it.
      await Promise.race([sleepAfterEvents(askedMs), this.gone]);
      // Where the machine stood still, the browser did, too.
      if (performance.now() - beganMs > askedMs + maxStillMs) log.arrived();
    }
  }

  #rest(quietMs: number, limitMs: number): Promise<boolean> {
    const warn = (text: string): void => void this.#warnings.push(text);
    const rest = untilRest({
      rootPid: this.rootPid,
      quietMs,
      limitMs,
      serverAddress: this.#serverAddress,
      warn,
    });
    return Promise.race([rest, this.gone]);
  }

  async openJourney(): Promise<JourneyPort> {
    if (!this.#isDriven)
      throw new H2h3Error(
        'internal',
        `${this.name} was not started for a script: its new targets would wait for ever`,
      );
    this.#url = 'about:blank';
    this.#connection.transport.deferNetworkEvents();
    await this.#page.send('Page.addScriptToEvaluateOnNewDocument', { source: journeyRecorderExpression });
    const relay = await CdpRelay.open(this.#connection);
    const misdeed = new Promise<string>((resolve) => {
      relay.onClose = () => resolve('closed the browser');
      this.#targets.observe(
        (_, { type }) => void (type === 'page' && resolve('opened a window')),
        (session) => void (session === this.#page && resolve('closed the page')),
      );
    });
    return {
      protocol: 'cdp',
      send: (message) => relay.send(message),
      set onMessage(listener: (message: string) => void) {
        relay.onMessage = listener;
      },
      evaluate: (expression) => Promise.race([this.#evaluate(expression), this.gone]),
      screenshot: () => screenshotOf(this.#page),
      console: () => consoleOf(this.#page),
      misdeed,
      gone: this.gone,
    };
  }

  /**
   * While large bodies come in, the browser's events of received data cost it a third of the CPU time of the
   * whole transfer, more over HTTP/3 than over HTTP/2, because data comes in smaller pieces there. So the page's
   * network events end soon after the first large response; what is missing then is taken from Resource Timing.
   */
  async sessionResult(deadlineMs: number): Promise<unknown> {
    this.#connection.transport.stopDeferring();
    this.#log?.watchResponses((response) => this.#endEventsOnLargeBody(response));
    const session = Promise.race([this.#evaluate(sessionExpression), this.gone]);
    const json = await within(session, deadlineMs, 'the session of the page');
    return JSON.parse(String(json));
  }

  async sessionSoFar(): Promise<unknown> {
    const json = await this.#attempt(this.#evaluate(sessionSoFarExpression), 'reading the session so far');
    return typeof json === 'string' ? JSON.parse(json) : null;
  }

  async stopRecording(): Promise<ClientRecord> {
    clearTimeout(this.#eventsEnd);
    this.#connection.transport.stopDeferring();
    const documents = this.#documents.list();
    // A page that is another now has no times, but what was recorded of its load is what explains it.
    const disturbance = this.#movedOn();
    const own = disturbance === undefined ? await this.#timings() : null;
    const timings = own && timesFromStart(own, documents);
    const rows = await this.#resourceTimings();
    // Of a journey each step's page was read when the step had ended.
    const timelines =
      this.#isUninstrumented && !this.#isDriven
        ? await this.#attempt(readTimelines(this.#page, this.#targets), 'reading the timelines of the page')
        : undefined;
    await this.#attempt(this.#screencast?.stop(), 'stopping the recording of frames');
    await this.#attempt(this.#tracing?.stop(), 'reading the trace', traceLimitMs);
    const pageEvents = {
      url: this.#url,
      domContentSeconds: this.#domContentSeconds,
      loadSeconds: this.#loadSeconds,
      timeOriginEpochMs: timings?.timeOriginEpochMs ?? null,
      browser: { name: this.name, version: this.version },
    };
    const logged = this.#log?.requests ?? [];
    const requests = (): LoggedRequest[] =>
      rows && timings ? withResourceTimings(logged, rows, timings.timeOriginEpochMs) : [...logged];
    const recorded = this.#screencast?.frames(timings?.timeOriginEpochMs ?? Infinity);
    return {
      timings,
      ...(documents.length > 1 ? { documents } : {}),
      ...(disturbance === undefined ? {} : { disturbance }),
      frames: recorded?.frames ?? null,
      warnings: [...this.#warnings, ...this.#dialogs.warnings(), ...(recorded?.warnings ?? [])],
      ...(this.#isUninstrumented
        ? { timelines: timelines ?? [] }
        : { buildHar: () => harOf(pageEvents, requests()) }),
    };
  }

  /** Why the tab does not show the page that was loaded; undefined: it does. */
  #movedOn(): string | undefined {
    const { unreachable } = this.#documents;
    if (unreachable !== undefined)
      return `the page led on to ${unreachable} by itself, which could not be reached`;
    const left = this.#documents.list()[this.#documentsAtRest];
    return left && leftPage(left.url);
  }

  async end(): Promise<void> {
    const closing = this.#connection.root.send('Browser.close').catch(() => undefined);
    await within(Promise.all([closing, this.#browser.ended]), endLimitMs, 'the orderly end of the browser');
  }

  async close(): Promise<void> {
    if (this.#endsInOrder) await this.#attempt(this.end(), 'letting the browser write its net log');
    await this.#browser.kill();
  }

  #endEventsOnLargeBody(response: Protocol.Network.Response): void {
    const lengthBytes = Number(headerOf(response.headers, 'content-length') ?? 0);
    if (lengthBytes < largeBodyBytes || this.#eventsEnd !== undefined) return;
    this.#eventsEnd = setTimeout(() => {
      this.#eventsEnded = true;
      this.#log?.cutShort(this.#page);
      this.#page.send('Network.disable').catch(() => undefined);
    }, eventsEndDelayMs);
  }

  /** Null where the log is whole. */
  async #resourceTimings(): Promise<readonly TimelineEntry[] | null> {
    if (!this.#eventsEnded) return null;
    const value = await this.#attempt(this.#evaluate(resourceTimingsExpression), 'reading Resource Timing');
    const parsed = z.array(timelineEntrySchema).safeParse(value);
    if (!parsed.success) this.#warnings.push(`Resource Timing is not as expected: ${parsed.error.message}`);
    return parsed.data ?? null;
  }

  #crash(): Promise<never> {
    return new Promise((_, reject) => {
      const fail = (what: string): void => reject(new H2h3Error('process-failed', `${this.name}: ${what}`));
      this.#page.on('Inspector.targetCrashed', () => fail('the process of the page crashed'));
      void this.#browser.ended.then((how) => fail(`the browser ended by itself (${how})`));
    });
  }

  async #timings(): Promise<PageTimings | null> {
    const what = 'reading the timings of the page';
    const asked = this.#evaluate(pageTimingsExpression);
    const value = this.#isUninstrumented
      ? await readOfPage(within(Promise.race([asked, this.gone]), answerLimitMs, what))
      : await this.#attempt(asked, what);
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

  async #attempt<T>(
    work: Promise<T> | undefined,
    what: string,
    limitMs = answerLimitMs,
  ): Promise<T | undefined> {
    if (work === undefined) return undefined;
    try {
      return await within(work, limitMs, what);
    } catch (thrown) {
      this.#warnings.push(`${what} failed: ${messageOf(thrown)}`);
      return undefined;
    }
  }
}
