import { isPhoneName } from '../../../harness/clients/browsers/android/find-phone.ts';
import type { ClientStack } from '../../../harness/clients/client-driver.ts';
import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { knownClients } from '../../../harness/clients/client-catalogue.ts';
import { parseVersionedName } from '../../../harness/clients/client-name.ts';
import { clientDrivers } from '../../../harness/clients/drivers.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Clients } from './clients.ts';

/**
 * The family of a client by its name alone, so that what no machine can do is known before anything is fetched; of a path
 * only where it was looked at. Undefined for a name that is none.
 */
export function familyOf(name: string, clients: Clients): string | undefined {
  const found = clients.get(name);
  if (found !== undefined && !(found instanceof H2h3Error)) return found.family;
  if (name === 'best' || name === 'embedded') return 'chromium';
  if (isPhoneName(name)) return 'android';
  const browser = browserOf(name);
  return knownClients.find(({ id }) => id === browser)?.family ?? (name === 'webkit' ? 'webkit' : undefined);
}

/** What TLS and QUIC of a client can do, likewise; nothing is known of a name that is none. */
export function stackOf(name: string, clients: Clients): ClientStack {
  return clientDrivers.get(familyOf(name, clients) ?? '')?.stack ?? {};
}

function browserOf(name: string): string {
  const command = commandClientNamed(name);
  if (command !== undefined) return command.id;
  try {
    const browser = parseVersionedName(name)?.browser ?? name;
    return browser === 'chrome-headless-shell' ? 'chromium' : browser;
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'usage') return name;
    throw thrown;
  }
}
