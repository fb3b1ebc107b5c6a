import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import { desktop, type Device } from '../../src/core/model/device.ts';
import { H2h3Error, foreignWords, messageOf } from '../../src/core/model/errors.ts';
import { isNetworkChange } from '../../src/core/model/network-change.ts';
import { temporaryFolderIn } from '../../src/core/system/temporary-folder.ts';
import { drivenPage } from './driven-page.ts';
import type { RunningProxy } from './proxy-process.ts';
import { QuietPage } from './quiet-page.ts';
import type { RecordOptions } from './record-options.ts';
import { visitRemote } from '../pages/visit-remote.ts';
import type { LiveOptions } from '../../src/core/model/live-address.ts';

export interface Visited {
  readonly asked: ReadonlySet<string>;
  /** When each load began, ms. */
  readonly startsEpochMs: readonly number[];
  readonly complete: boolean;
  readonly browser: string;
  readonly device: Device;
  readonly failures: readonly { readonly method: string; readonly url: string; readonly reason: string }[];
  readonly lacks: readonly { readonly feature: string; readonly url: string }[];
  readonly dialogs: readonly string[];
  /** Texts that the pages were given as secrets. */
  readonly secrets: readonly string[];
}

interface VisitLog {
  readonly asked: Set<string>;
  readonly startsEpochMs: number[];
  readonly failures: { method: string; url: string; reason: string }[];
  readonly lacks: { feature: string; url: string }[];
  readonly dialogs: string[];
  readonly secrets: string[];
  complete: boolean;
}

/** Longer than what trials of an archive wait for, so that these ask for nothing that came too late for it. */
const quietMs = 1_200;
/** Of a page in which nothing can run: what it asks for, it asks for at once. */
const inertQuietMs = 300;
/** Whether nothing of a page can act later: neither scripts nor frames, media, refreshes or animations. */
const isInert = `document.querySelector('script, iframe, frame, object, embed, video, audio, meta[http-equiv]') === null
  && document.getAnimations().length === 0
  && ![...document.querySelectorAll('*')].some(({ attributes }) => [...attributes].some(({ name }) => name.startsWith('on')))`;
const maxDialogs = 100;
const maxDialogCharacters = 200;

/** What the pages are visited with. */
export interface Visiting {
  readonly options: RecordOptions;
  /** Waited for before anything is loaded. */
  readonly proxy: Promise<RunningProxy>;
  /** Of the proxy's certificate authority. */
  readonly spkiHash: string;
  readonly firstScript: string | undefined;
  /** Folder of the browser's profile, which is made. */
  readonly profileDir: string;
  /** Variables that the browser gets besides this process's own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Loads every address as often as asked for, each load with an empty profile. */
export async function visitAll(visiting: Visiting): Promise<Visited> {
  const { options, proxy, firstScript } = visiting;
  const browser = await start(visiting);
  const end = (): void => void browser.close();
  options.signal.addEventListener('abort', end, { once: true });
  const gathered: VisitLog = {
    asked: new Set(),
    startsEpochMs: [],
    failures: [],
    lacks: [],
    dialogs: [],
    secrets: [],
    complete: true,
  };
  try {
    for (const url of options.urls) {
      for (let visit = 0; visit < (options.visits ?? 1); visit++) {
        if (options.signal.aborted) throw new H2h3Error('interrupted', 'Recording was interrupted');
        options.progress({ title: `Recording ${url}`, detail: `visit ${visit + 1}` });
        await visitPage(url, { options, proxy, browser, firstScript }, gathered);
      }
    }
    return { ...gathered, browser: await browser.version(), device: options.device ?? desktop };
  } finally {
    options.signal.removeEventListener('abort', end);
    await browser.close();
  }
}

async function start({ options, spkiHash, profileDir, environment }: Visiting): Promise<Browser> {
  // Loaded when needed: it takes longer than every other command's start.
  const { launch } = await import('puppeteer-core');
  const { width, height } = options.device ?? desktop;
  return launch({
    executablePath: options.browserPath,
    env: {
      ...process.env,
      ...options.browserEnvironment,
      ...environment,
      ...(await temporaryFolderIn(profileDir)),
    },
    // A port would be open to every program of this machine.
    pipe: true,
    userDataDir: profileDir,
    // Ctrl-C in the terminal reaches the command, which then ends the browser itself.
    handleSIGINT: false,
    headless: options.browserPath.includes('headless') ? 'shell' : true,
    defaultViewport: null,
    args: [
      `--proxy-server=127.0.0.1:${options.proxyPort}`,
      '--proxy-bypass-list=<-loopback>',
      // Nothing passes the proxy by: what it cannot see cannot be recorded, nor kept from this machine's network.
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      `--ignore-certificate-errors-spki-list=${spkiHash}`,
      `--window-size=${width},${height}`,
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--autoplay-policy=no-user-gesture-required',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

interface Visit {
  readonly options: RecordOptions;
  readonly proxy: Promise<RunningProxy>;
  readonly browser: Browser;
  readonly firstScript: string | undefined;
}

async function visitPage(url: string, visit: Visit, gathered: VisitLog): Promise<void> {
  const { access, drive } = visit.options;
  // A driver finds the page that the browser opened with; its one visit needs no fresh profile.
  const context =
    drive === undefined ? await visit.browser.createBrowserContext() : visit.browser.defaultBrowserContext();
  if (access !== undefined) await context.setCookie(...access.cookies);
  const [page = await context.newPage()] = drive === undefined ? [] : await context.pages();
  if (access?.script !== undefined) await page.evaluateOnNewDocument(access.script);
  await showOn(page, visit.options.device ?? desktop);
  if (visit.firstScript !== undefined) await page.evaluateOnNewDocument(visit.firstScript);
  page.on('dialog', (dialog) => {
    if (gathered.dialogs.length < maxDialogs)
      gathered.dialogs.push(`${dialog.type()}: ${dialog.message().slice(0, maxDialogCharacters)}`);
    // The page waits for the answer, and the recording for the page; one that is gone needs none.
    dialog.accept().catch(() => undefined);
  });
  const { activity } = await visit.proxy;
  const quiet = await QuietPage.follow(page, activity);
  gathered.startsEpochMs.push(Date.now());
  const driven = await drive?.(
    await drivenPage({
      page,
      quiet,
      browser: visit.browser,
      quietMs,
      limitMs: limitOf(visit.options),
      signal: visit.options.signal,
    }),
  );
  gathered.secrets.push(...(driven?.secrets ?? []));
  // An archive is of its address, also when the driver navigated away.
  const isThere = driven !== undefined && quiet.asked.has(url.replace(/#.*$/, ''));
  const isQuiet = isThere ? driven.quiet : await load(url, visit.options, page, quiet);
  gathered.complete = isQuiet && gathered.complete;
  for (const address of quiet.asked) gathered.asked.add(address);
  // What fails from now on fails because the page is closed.
  gathered.failures.push(...quiet.failures);
  gathered.lacks.push(...quiet.lacks);
  if (drive === undefined) await context.close();
}

async function showOn(page: Page, device: Device): Promise<void> {
  await page.setViewport({
    width: device.width,
    height: device.height,
    deviceScaleFactor: device.scale,
    isMobile: device.mobile,
    hasTouch: device.touch,
  });
  if (device.userAgent !== undefined) await page.setUserAgent({ userAgent: device.userAgent });
}

const limitOf = ({ limitMs }: RecordOptions): number => limitMs ?? 30_000;

/** Loads a page; false when it did not go quiet in time. */
async function load(url: string, options: RecordOptions, page: Page, quiet: QuietPage): Promise<boolean> {
  const limitMs = limitOf(options);
  const giveUpAtMs = performance.now() + limitMs;
  const hasLoaded = await navigate(page, url, limitMs).then(
    () => true,
    async (cause: unknown) => {
      if (foreignWords(cause).includes('timeout')) return false;
      throw await cannotBeLoaded(url, cause, options);
    },
  );
  quiet.loaded();
  if (options.scroll === true) await scrollDown(page, giveUpAtMs);
  // A page that is still being loaded tells nothing of itself before it is there.
  const inert = hasLoaded && (await page.evaluate(isInert).catch(() => false)) === true;
  return quiet.wait(inert ? inertQuietMs : quietMs, giveUpAtMs, options.signal);
}

/** Asked directly, a server says what the browser behind the proxy is not told: who refuses, and whose certificate it is. */
async function cannotBeLoaded(url: string, cause: unknown, options: RecordOptions): Promise<H2h3Error> {
  const live: LiveOptions = {
    insecure: options.insecureUpstream === true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    connectTo: [...(options.connectTo ?? [])],
  };
  const address = new URL(url);
  // Of plain http the browser behind the proxy is told as much.
  const told =
    address.protocol === 'http:'
      ? undefined
      : await visitRemote(address, live, options.signal).catch((thrown: unknown) => thrown);
  const next = 'Check the address in a browser, and that this machine reaches it.';
  if (!(told instanceof H2h3Error))
    return new H2h3Error('bad-input', `${url} cannot be loaded: ${messageOf(cause)}`, { cause, next });
  return new H2h3Error('bad-input', `${url} cannot be loaded: ${told.message}`, {
    cause,
    next: told.next ?? next,
  });
}

/** Chromium drops all that is under way when an interface of this machine comes or goes, which is no answer of the site. */
async function navigate(page: Page, url: string, timeoutMs: number): Promise<void> {
  const goTo = (): Promise<unknown> => page.goto(url, { waitUntil: 'load', timeout: timeoutMs });
  await goTo().catch((thrown: unknown) => {
    if (!isNetworkChange(foreignWords(thrown))) throw thrown;
    return goTo();
  });
}

async function scrollDown(page: Page, giveUpAtMs: number): Promise<void> {
  for (let isAtEnd = false; !isAtEnd && performance.now() < giveUpAtMs;) {
    isAtEnd = (await page.evaluate(
      '(scrollBy(0, innerHeight), scrollY + innerHeight >= document.documentElement.scrollHeight - 1)',
    )) as boolean;
    await wait(250);
  }
}
