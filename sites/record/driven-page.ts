import type { Readable, Writable } from 'node:stream';
import type { Browser, Page } from 'puppeteer-core';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { QuietPage } from './quiet-page.ts';
import type { DrivenPage } from './record-options.ts';

export interface Driving {
  readonly page: Page;
  readonly quiet: QuietPage;
  readonly browser: Browser;
  /** How long a page must be quiet. */
  readonly quietMs: number;
  /** Longest wait for it. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A page that is recorded, as its driver sees it. */
export async function drivenPage({
  page,
  quiet,
  browser,
  quietMs,
  limitMs,
  signal,
}: Driving): Promise<DrivenPage> {
  const [, , , write, read] = browser.process()?.stdio ?? [];
  // Puppeteer leaves alone what comes of a session that it was asked for, and takes every other for its own. Sessions with
  // its own target of the browser share what attaches them to pages, and only the first hears of those that are there; so the
  // driver's is one that begins anew.
  const own = await browser.target().createCDPSession();
  const { sessionId } = await own.send('Target.attachToBrowserTarget');
  const misdeed = new Promise<string>((resolve) => {
    browser.on(
      'targetcreated',
      (target) => void (String(target.type()) === 'page' && resolve('opened a window')),
    );
    page.once('close', () => resolve('closed the page'));
  });
  const gone = new Promise<never>((_, reject) =>
    browser.once('disconnected', () =>
      reject(new H2h3Error('process-failed', 'the browser ended by itself while a script drove it')),
    ),
  );
  gone.catch(() => undefined);
  return {
    pipes: { write: write as Writable, read: read as Readable, sessionId },
    evaluate: (expression) => page.evaluate(expression),
    runFirst: async (source) => void (await page.evaluateOnNewDocument(source)),
    waitUntilQuiet: (maxMs) => quiet.wait(quietMs, performance.now() + Math.min(maxMs, limitMs), signal),
    misdeed,
    gone,
  };
}
