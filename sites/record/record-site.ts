import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { ProgressReporter } from '../../src/model/workload.ts';
import type { ArchiveIndex } from '../archive/archive-index.ts';
import { cleanExchange } from '../archive/clean-exchange.ts';
import { storable } from '../archive/storable.ts';
import { requireNewArchive, writeArchive } from '../archive/write-archive.ts';
import { startProxy, type RunningProxy } from './proxy-process.ts';
import { QuietPage } from './quiet-page.ts';
import { readFlows, type Flow } from './read-flows.ts';

export interface RecordOptions {
  readonly urls: readonly string[];
  /** The archive's folder; must not exist. */
  readonly outDir: string;
  /** A browser of the Chromium family. */
  readonly browserPath: string;
  /** Program and first arguments. */
  readonly mitmdump: readonly string[];
  /** Port for the proxy on the loopback. */
  readonly proxyPort: number;
  /** Loads of each address. Default 1. */
  readonly visits?: number;
  /** Scroll down each page, so that lazy objects are asked for. Default no. */
  readonly scroll?: boolean;
  /** Keep cookies, credentials and tokens. Default no. */
  readonly keepSecrets?: boolean;
  /** Accept any certificate of the recorded servers. Default no. */
  readonly insecureUpstream?: boolean;
  /** `HOST:PORT:TOHOST:TOPORT`: where requests for a host go instead, as curl's `--connect-to` takes them. */
  readonly connectTo?: readonly string[];
  /** Variables that the browser needs. */
  readonly browserEnvironment?: Readonly<Record<string, string>>;
  /** Longest time for one load, in ms. Default 30 s. */
  readonly limitMs?: number;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
}

export interface RecordResult {
  readonly index: ArchiveIndex;
  /** Requests of the browser itself and not of a page; they are not in the archive. */
  readonly backgroundRequests: number;
  /** Addresses whose answers no archive can hold. */
  readonly skipped: readonly string[];
}

const quietMs = 1_500;

/**
 * Records pages through a proxy that only this browser trusts. What is stored is what the servers sent, encoded bodies
 * included; nothing of the protocol it came over stays.
 *
 * @throws H2h3Error `usage` when the folder exists, `bad-input` when an address cannot be loaded, `process-failed` when a program fails.
 */
export async function recordSite(options: RecordOptions): Promise<RecordResult> {
  requireNewArchive(options.outDir);
  const scratch = await mkdtemp(join(tmpdir(), 'h2h3-record-'));
  try {
    const proxy = await startProxy({
      mitmdump: options.mitmdump,
      connectTo: options.connectTo ?? [],
      port: options.proxyPort,
      directory: scratch,
      insecureUpstream: options.insecureUpstream ?? false,
      signal: options.signal,
    });
    let visited: Visited;
    try {
      visited = await visitAll(options, proxy);
    } catch (thrown) {
      // Whatever failed because the browser was ended is no failure of the site.
      throwIfInterrupted(options.signal);
      throw thrown;
    } finally {
      await proxy.stop();
    }
    throwIfInterrupted(options.signal);
    return await store(options, visited, await readFlows(scratch));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new H2h3Error('interrupted', 'Recording was interrupted; nothing is kept of it');
}

interface Visited {
  readonly asked: ReadonlySet<string>;
  readonly complete: boolean;
  readonly browser: string;
}

async function visitAll(options: RecordOptions, proxy: RunningProxy): Promise<Visited> {
  // Loaded when needed: it takes longer than every other command's start.
  const { launch } = await import('puppeteer-core');
  const browser = await launch({
    executablePath: options.browserPath,
    env: { ...process.env, ...options.browserEnvironment },
    // Ctrl-C in the terminal reaches the command, which then ends the browser itself.
    handleSIGINT: false,
    headless: options.browserPath.includes('headless') ? 'shell' : true,
    args: [
      `--proxy-server=127.0.0.1:${options.proxyPort}`,
      '--proxy-bypass-list=<-loopback>',
      `--ignore-certificate-errors-spki-list=${proxy.spkiHash}`,
      ...[
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
      ],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const end = (): void => void browser.close();
  options.signal.addEventListener('abort', end, { once: true });
  try {
    const asked = new Set<string>();
    let complete = true;
    for (const url of options.urls) {
      for (let visit = 0; visit < (options.visits ?? 1); visit++) {
        throwIfInterrupted(options.signal);
        options.progress({ title: `Recording ${url}`, detail: `visit ${visit + 1}` });
        const context = await browser.createBrowserContext();
        const page = await context.newPage();
        const quiet = await QuietPage.follow(page, proxy.activity);
        complete = (await load(url, options, page, quiet)) && complete;
        for (const address of quiet.asked) asked.add(address);
        await context.close();
      }
    }
    return { asked, complete, browser: await browser.version() };
  } finally {
    options.signal.removeEventListener('abort', end);
    await browser.close();
  }
}

/** Loads a page; false when it did not go quiet in time. */
async function load(url: string, options: RecordOptions, page: Page, quiet: QuietPage): Promise<boolean> {
  const limitMs = options.limitMs ?? 30_000;
  const giveUpAtMs = performance.now() + limitMs;
  try {
    const answer = await page.goto(url, { waitUntil: 'load', timeout: limitMs });
    // The proxy answers for a server that it cannot reach.
    if (answer?.status() === 502 && /^mitmproxy/.test(answer.headers()['server'] ?? '')) {
      throw new Error((await answer.text()).replaceAll(/<[^>]*>|\s+/g, ' ').trim());
    }
  } catch (cause) {
    if (!messageOf(cause).includes('timeout')) {
      throw new H2h3Error('bad-input', `${url} cannot be loaded: ${messageOf(cause)}`, {
        cause,
        next: 'Check the address in a browser, and that this machine reaches it.',
      });
    }
  }
  if (options.scroll === true) await scrollDown(page, giveUpAtMs);
  return quiet.wait(quietMs, giveUpAtMs, options.signal);
}

async function scrollDown(page: Page, giveUpAtMs: number): Promise<void> {
  for (let isAtEnd = false; !isAtEnd && performance.now() < giveUpAtMs;) {
    isAtEnd = (await page.evaluate(
      '(scrollBy(0, innerHeight), scrollY + innerHeight >= document.documentElement.scrollHeight - 1)',
    )) as boolean;
    await wait(250);
  }
}

async function store(
  options: RecordOptions,
  visited: Visited,
  flows: readonly Flow[],
): Promise<RecordResult> {
  const ofPages = flows.filter((flow) => flow.ofPage || visited.asked.has(flow.url));
  const cleaned = ofPages.map((flow) => cleanExchange(flow.exchange, options.keepSecrets ?? false));
  const removed: Record<string, number> = {};
  for (const name of cleaned.flatMap((each) => each.removed)) removed[name] = (removed[name] ?? 0) + 1;
  const head = {
    urls: [...options.urls],
    recordedAt: new Date().toISOString(),
    recorder: `h2h3 through mitmproxy, ${visited.browser}`,
    complete: visited.complete,
    removed,
  };
  const { exchanges, refused } = storable(cleaned.map(({ exchange }) => exchange));
  const index = await writeArchive(options.outDir, head, exchanges);
  return { index, backgroundRequests: flows.length - ofPages.length, skipped: refused };
}
