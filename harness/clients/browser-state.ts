import type { Browser, Page } from 'puppeteer-core';
import type { LiveAccess } from '../../src/core/model/live-access.ts';

/** What a script left in a browser, as a saved state has it: cookies, and the local storage of the pages that are open. */
export async function stateOf(browser: Browser): Promise<LiveAccess['state']> {
  return { cookies: await cookiesOf(browser), origins: await originsOf(await browser.pages()) };
}

async function cookiesOf(browser: Browser): Promise<LiveAccess['state']['cookies']> {
  const cookies = await browser.cookies();
  return cookies.map(({ name, value, domain, path, expires, httpOnly = false, secure, sameSite }) => ({
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    sameSite: sameSite === 'Strict' || sameSite === 'None' ? sameSite : 'Lax',
  }));
}

async function originsOf(pages: readonly Page[]): Promise<LiveAccess['state']['origins']> {
  const found = await Promise.all(
    pages
      .filter((page) => /^https?:/.test(page.url()))
      .map(async (page) => {
        const items = (await page.evaluate('Object.entries(localStorage)')) as [string, string][];
        const localStorage = items.map(([name, value]) => ({ name, value }));
        return { origin: new URL(page.url()).origin, localStorage };
      }),
  );
  return found.filter(({ localStorage }) => localStorage.length > 0);
}
