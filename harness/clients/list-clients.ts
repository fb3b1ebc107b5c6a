import { H2h3Error } from '../../src/core/model/errors.ts';
import { describeEmbeddedChromium, mustFetchEmbedded } from './browsers/embedded-chromium.ts';
import { findWebKit, webkitName, webkitTitle } from './browsers/webkit/find-webkit.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { ClientIdentity } from './client.ts';
import { knownClients } from './client-catalogue.ts';
import { findKnownClient } from './find-client.ts';

/** A client that can be named, and what was found of it on this machine. */
export interface ListedClient {
  readonly id: string;
  readonly title: string;
  /** Phones are not looked for, because asking adb starts a server of its own. */
  readonly state: 'here' | 'not fetched yet' | 'missing' | 'not looked for';
  /** Null: not on this machine. The embedded one is found before it is fetched, `state` says so. */
  readonly found: ClientIdentity | null;
  /** What installs it. */
  readonly installHint: string;
}

/** Every client that can be named, in order of preference. Unpacks nothing. */
export async function listClients(context: SetupContext): Promise<ListedClient[]> {
  const listed = knownClients.map(async (known): Promise<ListedClient> => {
    const found = (await findKnownClient(known, context)) ?? null;
    const { id, name, installHint } = known;
    return { id, title: name, state: found === null ? 'missing' : 'here', found, installHint };
  });
  return [
    ...(await Promise.all(listed)),
    await listedEmbedded(context),
    await listedWebKit(context),
    {
      id: 'android',
      title: 'Chrome on Android',
      state: 'not looked for',
      found: null,
      installHint: 'a phone over adb (docs/clients-and-servers.md)',
    },
  ];
}

async function listedEmbedded(context: SetupContext): Promise<ListedClient> {
  const found = (await describeEmbeddedChromium(context)) ?? null;
  const id = 'embedded';
  const title = found?.name ?? 'Chromium headless shell (embedded)';
  if (found === null)
    return { id, title, state: 'missing', found, installHint: 'it comes for Linux on x64 only' };
  const state = (await mustFetchEmbedded(context)) ? 'not fetched yet' : 'here';
  return { id, title, state, found, installHint: 'npx h2h3 setup, or the first run that needs it' };
}

async function listedWebKit(context: SetupContext): Promise<ListedClient> {
  const about = {
    id: webkitName,
    title: webkitTitle,
    installHint: 'Debian: npx h2h3 setup --system --with webkit',
  };
  try {
    return { ...about, state: 'here', found: await findWebKit(context) };
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
    return { ...about, state: 'missing', found: null };
  }
}
