import { join } from 'node:path';
import { startOfText } from '../../../src/core/model/cut-text.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { sessionSchema, type Session } from '../../../src/core/model/session.ts';
import type { JourneyOptions } from '../../../src/core/model/workload.ts';
import type { ClientDriver, ClientLaunchOptions, ClientSession, Load, Loaded } from '../client-driver.ts';
import type { JourneyRequest } from '../journey/run-journey.ts';
import { within } from './deadline.ts';
import type { BrowserSession, LaunchBrowser } from './browser.ts';

/** What the browsers of one family are, besides how they are launched. */
export interface BrowserFamily {
  readonly launcher: () => Promise<LaunchBrowser>;
  readonly flagForm: ClientDriver['flagForm'];
  /** What a process does, by its command line. */
  readonly processRole: (commandLine: string) => string;
  /** Where fewer than those of a browser on this machine. */
  readonly applies?: ClientDriver['applies'];
  /** Where more. */
  readonly appliesToo?: ClientDriver['applies'];
  readonly stack?: ClientDriver['stack'];
  readonly lacksOfLive?: ClientDriver['lacksOfLive'];
  readonly refusal?: ClientDriver['refusal'];
}

/** A browser loads the workload's page, and the page does the rest. */
export function browserDriver(family: BrowserFamily): ClientDriver {
  const { launcher, processRole, flagForm, refusal, stack, lacksOfLive } = family;
  return {
    applies: family.applies ?? [
      ...([
        'flags',
        'cpu',
        'prefers',
        'udp',
        'resume',
        'coalescing',
        'discovery',
        'https-answer',
        'family',
        'aaaa',
        'resolver',
      ] as const),
      ...(family.appliesToo ?? []),
    ],
    ...(refusal === undefined ? {} : { refusal }),
    stack,
    lacksOfLive,
    flagForm,
    preload: async () => void (await launcher()),
    start: async (options) => {
      const browser = await (await launcher())(options);
      return clientSession(browser, processRole, options);
    },
    visit: async (options, load) => {
      const browser = await (await launcher())(options);
      try {
        // Whether the network is quiet is known from the recording only.
        await browser.startRecording();
        await browser.navigate(load.url, load.leftMs());
        const quiet = await browser.waitUntilQuiet(load.workload.quietMs, load.leftMs());
        await browser.end();
        return quiet ? [] : ['requests of the first visit were still under way at its deadline'];
      } finally {
        await browser.close();
      }
    },
  };
}

/** For a browser to end its connections; after that it is killed, and a server waits for what it does not send any more. */
const leaveLimitMs = 5_000;

function clientSession(
  browser: BrowserSession,
  processRole: (commandLine: string) => string,
  { server, profileDir }: Pick<ClientLaunchOptions, 'server' | 'profileDir'>,
): ClientSession {
  const { name, version, rootPid, processes } = browser;
  return {
    name,
    version,
    rootPid,
    processes,
    processRole: (commandLine) => (commandLine === null ? 'ended' : processRole(commandLine)),
    stderrTail: () => browser.stderrTail(),
    startRecording: () => browser.startRecording(),
    load: (load) => loadPage(browser, load, profileDir),
    stopRecording: () => browser.stopRecording(),
    close: async () => {
      // A browser that was killed resets its connections over TCP, and leaves those over QUIC to a time-out of half a minute.
      // Where the server is ours it is to log in time what was cut off.
      if (server !== null)
        await within(browser.end(), leaveLimitMs, 'ending the browser').catch(() => undefined);
      await browser.close();
    },
  };
}

async function loadPage(browser: BrowserSession, load: Load, profileDir: string): Promise<Loaded> {
  const { workload, url, leftMs } = load;
  if (workload.journey !== undefined)
    return runScript(browser, load, { ...workload.journey, temporaryDir: join(profileDir, 'script') });
  await browser.navigate(url, leftMs());
  if (workload.driver === 'session')
    return { session: sessionOf(await sessionWithin(browser, load)), warnings: [] };
  const quiet = await browser.waitUntilQuiet(workload.quietMs, leftMs());
  return {
    session: null,
    warnings: quiet ? [] : ['requests were still under way at the deadline, after the load event'],
  };
}

/** Loaded when needed, as few runs have a script. */
async function runScript(
  browser: BrowserSession,
  { workload, url, leftMs, keepStep, keepTimeline, ...load }: Load,
  journey: JourneyOptions & Pick<JourneyRequest, 'temporaryDir'>,
): Promise<Loaded> {
  const { runJourney } = await import('../journey/run-journey.ts');
  await runJourney(browser, {
    ...journey,
    url,
    leftMs,
    keepSecret: load.keepSecret,
    ...(load.keepFailure === undefined ? {} : { keepFailure: load.keepFailure }),
    ...(load.secrets === undefined ? {} : { secrets: load.secrets }),
    keepTimeline,
    part: 'measured',
    quietMs: workload.quietMs,
    acceptsAnyCertificate: workload.live === undefined || workload.live.acceptedKeys.length > 0,
    keep: keepStep,
  });
  return { session: null, warnings: [] };
}

/** At the deadline the page's results so far are kept: they hold the bytes that came. */
async function sessionWithin(browser: BrowserSession, { leftMs, keep, ended }: Load): Promise<unknown> {
  try {
    if (ended !== undefined)
      await within(Promise.race([ended, browser.gone]), leftMs(), 'the session of the page');
    return await browser.sessionResult(leftMs());
  } catch (thrown) {
    const soFar = sessionSchema.safeParse(await browser.sessionSoFar?.());
    if (soFar.success) keep(soFar.data);
    throw thrown;
  }
}

/** Characters of what a page left that is no session. */
const maxShown = 500;

function sessionOf(value: unknown): Session {
  const parsed = sessionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const got = startOfText(JSON.stringify(value) ?? 'nothing', maxShown);
  throw new H2h3Error(
    'process-failed',
    `the session of the page is not as expected: ${parsed.error.message}`,
    { context: { got }, cause: parsed.error },
  );
}
