import puppeteer, { type Browser, type ConnectionTransport, type Page } from 'puppeteer-core';
import type { LiveAccess } from '../../../src/model/live-access.ts';
import { collected, runtime, step } from './journey.ts';
import type { JourneyContext, JourneyOrder } from './journey-script.ts';

export type JourneyFunction = (context: JourneyContext) => unknown;

/** Runs the part of a script that uses Puppeteer; of what comes before the measured part, the state that it leaves. */
export async function puppeteerPart(
  { part, url, protocol, acceptsAnyCertificate }: Extract<JourneyOrder, { type: 'run' }>,
  transport: ConnectionTransport,
  journey: JourneyFunction,
): Promise<LiveAccess['state'] | null> {
  const browser = await puppeteer.connect({
    transport,
    protocol,
    defaultViewport: null,
    acceptInsecureCerts: acceptsAnyCertificate,
  });
  const [page] = await browser.pages();
  if (page === undefined) throw new Error('the browser has no page');
  const context: JourneyContext = { page, browser, url, step, secret: runtime.secret };
  if (part === 'measured') {
    await journey(context);
    return null;
  }
  for (const work of collected.before) await (work as unknown as JourneyFunction)(context);
  return { cookies: await cookiesOf(browser), origins: await originsOf(await browser.pages()) };
}

/** Cookies of a browser as a saved state has them. */
export async function cookiesOf(browser: Browser): Promise<LiveAccess['state']['cookies']> {
  const cookies = await browser.cookies();
  return cookies.map(({ name, value, domain, path, expires, httpOnly = false, secure, sameSite }) => ({
    ...{ name, value, domain, path, expires, httpOnly, secure },
    sameSite: sameSite === 'Strict' || sameSite === 'None' ? sameSite : 'Lax',
  }));
}

/** Local storage of the pages that are open. */
export async function originsOf(pages: readonly Page[]): Promise<LiveAccess['state']['origins']> {
  const found = await Promise.all(
    pages
      .filter((page) => page.url().startsWith('https:'))
      .map(async (page) => {
        const items = (await page.evaluate('Object.entries(localStorage)')) as [string, string][];
        const localStorage = items.map(([name, value]) => ({ name, value }));
        return { origin: new URL(page.url()).origin, localStorage };
      }),
  );
  return found.filter(({ localStorage }) => localStorage.length > 0);
}
