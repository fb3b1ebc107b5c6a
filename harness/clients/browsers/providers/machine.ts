import type { SetupContext } from '../../../tools/setup-context.ts';
import { isVersion, nameOf, type VersionedName } from '../../client-name.ts';
import type { ClientIdentity } from '../../client.ts';
import { knownClients } from '../../client-catalogue.ts';
import { findKnownClient } from '../../find-client.ts';
import { versionMatches } from '../../../tools/version-order.ts';
import type { BrowserProvider } from './provider.ts';

async function find(name: VersionedName, context: SetupContext): Promise<ClientIdentity | undefined> {
  const known = knownClients.find(({ id }) => id === name.browser);
  if (known === undefined || !isVersion(name.wanted)) return undefined;
  const found = await findKnownClient(known, context);
  return found !== undefined && versionMatches(found.version, name.wanted)
    ? { ...found, id: nameOf(name) }
    : undefined;
}

/** What is installed on the machine, where it happens to be the version that is named. */
export const machineBrowsers: BrowserProvider = {
  id: 'machine',
  title: 'browsers installed on this machine, by their version',
  browsers: ['chromium', 'chrome', 'firefox', 'edge'],
  channels: [],
  find,
};
