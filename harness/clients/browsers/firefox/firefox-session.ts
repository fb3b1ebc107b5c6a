import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import { pageTimingsSchema, type PageTimings } from '../../../../src/core/model/raw-trial.ts';
import type { Timeline } from '../../../../src/core/model/timeline.ts';
import { killTree } from '../../../../src/core/system/processes/kill-tree.ts';
import type { ClientLaunchOptions, ClientRecord } from '../../client-driver.ts';
import type { BrowserSession } from '../browser.ts';
import type { JourneyPort } from '../journey-port.ts';
import { untilRest, watchOwnLink } from '../../rest-from-outside.ts';
import { ShownDocuments } from './shown-documents.ts';
import { timesFromStart } from '../times-from-start.ts';
import { leftPage, readOfPage, within } from '../deadline.ts';
import { dialogWarnings } from '../dialog-warnings.ts';
import {
  journeyRecorderExpression,
  pageExpression,
  pageTimingsExpression,
  sessionExpression,
  sessionSoFarExpression,
} from '../page-script.ts';
import type { BidiSession } from './bidi-connection.ts';
import type { FirefoxProcess } from './firefox-process.ts';
import { FrameCapture } from './frame-capture.ts';
import { GeckoProfiler } from './gecko-profiler.ts';
import { harOfRows } from './har.ts';
import { readTimelines } from './read-timelines.ts';
import type { RequestRow } from './request-row.ts';

/** What is still under way this long after the measurement was cut off by its end. */
const lateEndsLimitMs = 300;
/** A process that does not answer at the end of a trial must not hold it up. */
const answerLimitMs = 10_000;
/** So often a recorder that waits is told whether anything came over the network, ms. */
const maxSliceMs = 1000;
const endLimitMs = 20_000;
/** A page that is asked between two steps may be loading. */
const pageAnswerLimitMs = 30_000;
/** Encoding takes about 50 ms a frame. */
const framesLimitMs = 7000;

/** As long as Chromium gives a QUIC handshake. Firefox waits 30 s and then asks over TCP. */
const quicConnectLimitMs = 10_000;

const startRecorder = (waitsForAll: boolean): string =>
  pageExpression(
    ['../../../../src/core/model/request-rest.ts', '../firefox/page/request-recorder.ts'],
    'startRequestRecorder',
    waitsForAll,
  );
const loadEndedExpression = pageExpression('../firefox/page/load-ended.ts', 'loadEnded');

export interface FirefoxParts {
  readonly bidi: BidiSession;
  readonly process: FirefoxProcess;
  readonly rootPid: number;
  readonly warnings: readonly string[];
  readonly options: ClientLaunchOptions;
}

export class FirefoxSession implements BrowserSession {
  readonly name: string;
  readonly version: string;
  readonly rootPid: number;
  readonly #bidi: BidiSession;
  readonly #process: FirefoxProcess;
  readonly #warnings: string[];
  readonly #options: ClientLaunchOptions;
  readonly #isUninstrumented: boolean;
  readonly #frames: FrameCapture | null;
  readonly #profiler: GeckoProfiler | null;
  readonly gone: Promise<never>;
  readonly #dialogs: string[] = [];
  #url = 'about:blank';
  #startedEpochMs = 0;
  readonly #documents = new ShownDocuments();
  /** How many documents the tab had shown when the page had come to rest. */
  #documentsAtRest = 1;

  constructor(parts: FirefoxParts) {
    this.name = 'Firefox';
    this.version = parts.bidi.browserVersion;
    this.rootPid = parts.rootPid;
    this.#bidi = parts.bidi;
    this.#process = parts.process;
    this.#warnings = [...parts.warnings];
    this.#options = parts.options;
    this.#isUninstrumented = parts.options.instrumentation === 'uninstrumented';
    this.#frames = parts.options.frames ? new FrameCapture(parts.bidi) : null;
    const profile = parts.options.logs?.geckoProfile;
    this.#profiler = profile === undefined ? null : new GeckoProfiler(parts.bidi, profile);
    this.gone = parts.process.ended.then(() => {
      throw new H2h3Error('process-failed', 'Firefox ended by itself', {
        context: { stderrTail: parts.process.stderrTail() },
      });
    });
    this.gone.catch(() => undefined);
  }

  stderrTail(): string {
    return this.#process.stderrTail();
  }

  async startRecording(): Promise<void> {
    await this.#profiler?.start();
    await this.#frames?.start();
    await this.#bidi.onDialog((type, message) => this.#dialogs.push(`${type} "${message}"`));
    const { server, replay } = this.#options;
    // Real sites poll, and leave answers unread.
    const waitsForAll = server !== null && replay === undefined;
    if (!this.#isUninstrumented) await this.#bidi.evaluate('browser', startRecorder(waitsForAll));
  }

  async navigate(url: string, deadlineMs: number): Promise<void> {
    this.#url = url;
    await this.#documents.start(this.#bidi);
    this.#startedEpochMs = Date.now();
    const loading = this.#load(url);
    const ways =
      this.#options.protocol === 'h3' && !this.#isUninstrumented ? [loading, this.#noQuic(url)] : [loading];
    await this.#answer(Promise.race(ways), deadlineMs, `loading ${url}`);
  }

  async #load(url: string): Promise<void> {
    try {
      await this.#bidi.navigate(url);
    } catch (thrown) {
      // Its further lines are the stack of Firefox's own script.
      const got = messageOf(thrown).split('\n')[0] ?? '';
      // A frame whose address is refused while its page still loads ends the command, but not the load of the page.
      if (!got.includes('Address rejected') || !(await this.#showsPage()))
        throw new H2h3Error('process-failed', `Firefox could not load ${url}: ${got}`, {
          context: { url, got },
          cause: thrown,
        });
    }
    try {
      await this.#bidi.evaluate('page', loadEndedExpression);
    } catch (thrown) {
      // A document that leads on to another while it loads is gone before it could answer.
      if (!this.#documents.isUnderWay) throw thrown;
      await this.#documents.settled();
      await this.#bidi.evaluate('page', loadEndedExpression);
    }
  }

  /** Whether a document of a site stands there, and not the browser's own page about an error. */
  async #showsPage(): Promise<boolean> {
    const address = await this.#bidi.evaluate('page', 'document.documentURI').catch(() => 'about:blank');
    return !String(address).startsWith('about:');
  }

  /** Never resolves; rejects when there is no connection after the limit, because no other protocol may take over. */
  async #noQuic(url: string): Promise<never> {
    await sleep(quicConnectLimitMs, undefined, { ref: false });
    if ((await this.#bidi.evaluate('browser', 'h2h3Requests.connected()')) === true)
      return new Promise(() => undefined);
    throw new H2h3Error(
      'process-failed',
      `Firefox got no QUIC connection for ${url} in ${quicConnectLimitMs} ms`,
      {
        next: 'check that UDP reaches the server on that port',
      },
    );
  }

  async openJourney(): Promise<JourneyPort> {
    this.#startedEpochMs = Date.now();
    await this.#bidi.addPreloadScript(journeyRecorderExpression);
    const relay = this.#bidi.share();
    const consoleLines = this.#bidi.console();
    return {
      protocol: 'webDriverBiDi',
      send: (message) => relay.send(message),
      set onMessage(listener: (message: string) => void) {
        relay.onMessage = listener;
      },
      evaluate: (expression) =>
        this.#answer(
          this.#bidi.evaluate('page', `Promise.resolve(${expression}).then(JSON.stringify)`),
          pageAnswerLimitMs,
          'asking the page',
        ).then((json) => JSON.parse(String(json)) as unknown),
      screenshot: () => this.#bidi.screenshot(),
      console: () => consoleLines.read(),
      misdeed: relay.misdeed,
      gone: this.gone,
    };
  }

  /** Where the page redirects by itself, the page is the last document that it leads to. */
  async waitUntilQuiet(quietMs: number, deadlineMs: number): Promise<boolean> {
    const endMs = performance.now() + deadlineMs;
    for (;;) {
      const isQuiet = await this.#quiet(quietMs, endMs - performance.now());
      this.#documentsAtRest = this.#documents.list().length;
      if (!isQuiet || !this.#documents.isUnderWay) return isQuiet;
      const shown = Promise.race([this.#documents.settled(), this.gone]);
      await within(shown, endMs - performance.now(), 'loading what the page led on to');
    }
  }

  async #quiet(quietMs: number, deadlineMs: number): Promise<boolean> {
    if (this.#isUninstrumented) {
      const warn = (text: string): void => void this.#warnings.push(text);
      const serverAddress = this.#options.server?.address;
      const rest = untilRest({ rootPid: this.rootPid, quietMs, limitMs: deadlineMs, serverAddress, warn });
      return Promise.race([rest, this.gone]);
    }
    // What goes over the link is known here alone: the recorder is told of it once a second.
    const hasTraffic = watchOwnLink();
    const endMs = performance.now() + deadlineMs;
    for (;;) {
      const leftMs = Math.max(0, endMs - performance.now());
      const sliceMs = hasTraffic === null ? leftMs : Math.min(leftMs, maxSliceMs);
      const arrived = hasTraffic?.() === true ? 'h2h3Requests.arrived(), ' : '';
      const quiet = this.#bidi.evaluate('browser', `${arrived}h2h3Requests.quiet(${quietMs}, ${sliceMs})`);
      const answer = await this.#answer(quiet, sliceMs + answerLimitMs, 'waiting for a quiet network');
      if (answer === true || sliceMs === leftMs) return answer === true;
    }
  }

  async sessionResult(deadlineMs: number): Promise<unknown> {
    const json = await this.#answer(
      this.#bidi.evaluate('page', sessionExpression),
      deadlineMs,
      'the session of the page',
    );
    return JSON.parse(String(json));
  }

  async sessionSoFar(): Promise<unknown> {
    const json = await this.#attempt(
      this.#bidi.evaluate('page', sessionSoFarExpression),
      'reading the session so far',
    );
    return typeof json === 'string' ? JSON.parse(json) : null;
  }

  async stopRecording(): Promise<ClientRecord> {
    const documents = this.#documents.list();
    const left = documents[this.#documentsAtRest];
    // A page that is another now has no times, but what was recorded of its load is what explains it.
    const own = left === undefined ? await this.#timings() : null;
    const timings = own && timesFromStart(own, documents);
    const requests = this.#isUninstrumented
      ? { timelines: await this.#timelines() }
      : { buildHar: await this.#endRecorder(timings) };
    const frames =
      this.#frames && (await this.#attempt(this.#frames.stop(), 'reading the frames', framesLimitMs));
    if (this.#profiler) await this.#attempt(this.#profiler.stop(), 'reading the profile', framesLimitMs);
    const disturbance = left === undefined ? frames?.disturbance : leftPage(left.url);
    return {
      ...requests,
      timings,
      ...(documents.length > 1 ? { documents } : {}),
      frames: frames?.at(timings) ?? null,
      warnings: [...this.#warnings, ...dialogWarnings(this.#dialogs)],
      ...(disturbance === undefined ? {} : { disturbance }),
    };
  }

  /** Of a journey each step's page was read when the step had ended. */
  async #timelines(): Promise<Timeline[]> {
    if (this.#options.driven === true) return [];
    return (await this.#attempt(readTimelines(this.#bidi), 'reading the timelines')) ?? [];
  }

  /** Ends the recorder of requests; what it returns makes a HAR of what was recorded. */
  async #endRecorder(timings: PageTimings | null): Promise<() => Promise<Har>> {
    // A page may have a body whole before the parent process hears of the end of its request.
    await this.#attempt(
      this.#bidi.evaluate('browser', `h2h3Requests.quiet(1, ${lateEndsLimitMs})`),
      'waiting for the ends of requests',
    );
    const rowsJson = await this.#attempt(
      this.#bidi.evaluate('browser', 'JSON.stringify(h2h3Requests.stop())'),
      'reading the requests',
    );
    const page = {
      url: this.#url,
      startedEpochMs: this.#startedEpochMs,
      timings,
      browser: { name: this.name, version: this.version },
    };
    return () => buildHar(page, rowsJson);
  }

  async end(): Promise<void> {
    const closing = this.#bidi.send('browser.close', {}).catch(() => undefined);
    await within(Promise.all([closing, this.#process.ended]), endLimitMs, 'the orderly end of Firefox');
  }

  async close(): Promise<void> {
    this.#bidi.abandon();
    await killTree(this.rootPid);
  }

  async #timings(): Promise<PageTimings | null> {
    const what = 'reading the timings of the page';
    const asked = this.#bidi.evaluate('page', `JSON.stringify(${pageTimingsExpression})`);
    const value = this.#isUninstrumented
      ? await readOfPage(this.#answer(asked, answerLimitMs, what))
      : await this.#attempt(asked, what);
    const parsed = pageTimingsSchema
      .nullable()
      .safeParse(typeof value === 'string' ? JSON.parse(value) : null);
    if (!parsed.success)
      this.#warnings.push(`the timings of the page are not as expected: ${parsed.error.message}`);
    return parsed.data ?? null;
  }

  #answer<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
    work.catch(() => undefined);
    return within(Promise.race([work, this.gone]), limitMs, what);
  }

  async #attempt<T>(work: Promise<T>, what: string, limitMs = answerLimitMs): Promise<T | undefined> {
    try {
      return await this.#answer(work, limitMs, what);
    } catch (thrown) {
      this.#warnings.push(`${what} failed: ${messageOf(thrown)}`);
      return undefined;
    }
  }
}

function buildHar(page: Parameters<typeof harOfRows>[0], rowsJson: unknown): Promise<Har> {
  if (typeof rowsJson !== 'string')
    return Promise.reject(new H2h3Error('process-failed', 'Firefox gave no record of its requests'));
  return Promise.resolve(harOfRows(page, JSON.parse(rowsJson) as RequestRow[]));
}
