import type { LiveAccess } from '../../../../src/core/model/live-access.ts';
import { pageExpression } from '../page-script.ts';
import { storageScript } from '../storage-script.ts';
import type { BidiSession } from './bidi-connection.ts';

/** Gives the page what opens a live address: headers for its origin alone, cookies, local storage. */
export async function giveAccess(bidi: BidiSession, access: LiveAccess, url: string): Promise<void> {
  const { origin, hostname } = new URL(url);
  if (access.headers.length > 0)
    await bidi.evaluate(
      'browser',
      pageExpression('../firefox/page/give-headers.ts', 'giveHeaders', origin, access.headers),
    );
  for (const cookie of cookiesOf(access, hostname)) await bidi.send('storage.setCookie', { cookie });
  const script = storageScript(access);
  if (script !== undefined) await bidi.addPreloadScript(script);
}

function cookiesOf({ cookies, state }: LiveAccess, hostname: string): object[] {
  const own = cookies.map(({ name, value }) => ({
    name,
    domain: hostname,
    path: '/',
    secure: true,
    value: { type: 'string', value },
  }));
  const saved = state.cookies.map(({ name, value, domain, path, expires, sameSite, ...rest }) => ({
    name,
    domain,
    path,
    ...rest,
    value: { type: 'string', value },
    ...(expires < 0 ? {} : { expiry: Math.round(expires) }),
    sameSite: sameSite.toLowerCase(),
  }));
  return [...saved, ...own];
}
