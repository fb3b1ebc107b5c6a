import type { Protocol } from 'puppeteer-core';
import type { LiveAccess } from '../../../../src/core/model/live-access.ts';
import { isBlocked } from '../../../../src/core/model/live-address.ts';
import { storageScript } from '../storage-script.ts';
import type { CdpSession } from './cdp-connection.ts';
import type { Targets } from './targets.ts';

/** The page that is opened, and parts of addresses whose requests fail before they are sent. */
interface OpenedPage {
  readonly url: string;
  readonly leftOut: readonly string[];
}

/** Gives the page what opens a live address: headers for its origin alone, cookies, local storage. */
export async function giveAccess(
  page: CdpSession,
  targets: Targets,
  access: LiveAccess,
  { url, leftOut }: OpenedPage,
): Promise<void> {
  const cookies = cookiesOf(access, url);
  if (cookies.length > 0) await page.send('Network.setCookies', { cookies });
  const script = storageScript(access);
  const give = async (session: CdpSession): Promise<void> => {
    if (access.headers.length > 0)
      await addHeaders(session, access.headers, { url: new URL(url).origin, leftOut });
    if (script === undefined) return;
    await session.send('Page.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
  };
  targets.observe(
    // Workers have no documents, and not every target has a network of its own.
    (session) => void give(session).catch(() => undefined),
    () => undefined,
  );
  await give(page);
}

function cookiesOf({ cookies, state }: LiveAccess, url: string): Protocol.Network.CookieParam[] {
  const own = cookies.map(({ name, value }) => ({ name, value, url, path: '/', secure: true }));
  const saved = state.cookies.map(({ name, value, domain, path, expires, ...rest }) => ({
    name,
    value,
    domain,
    path,
    ...(expires < 0 ? {} : { expires }),
    ...rest,
  }));
  return [...saved, ...own];
}

/**
 * `Network.setExtraHTTPHeaders` would send them to every host that the page asks, third parties included. So requests are
 * held until they have their headers; one that a redirect leads to another origin loses them.
 */
async function addHeaders(
  session: CdpSession,
  headers: LiveAccess['headers'],
  { url: origin, leftOut }: OpenedPage,
): Promise<void> {
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    if (isBlocked(request.url, leftOut)) return;
    const others = Object.entries(request.headers)
      .filter(([name]) => !names.has(name.toLowerCase()))
      .map(([name, value]) => ({ name, value: String(value) }));
    const isOwn = new URL(request.url).origin === origin;
    const hadThem = Object.keys(request.headers).length > others.length;
    const sent = isOwn ? [...others, ...headers] : others;
    session
      .send('Fetch.continueRequest', {
        requestId,
        ...(isOwn || hadThem ? { headers: sent } : {}),
      })
      // The page may have given it up meanwhile.
      .catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*', requestStage: 'Request' }] });
}
