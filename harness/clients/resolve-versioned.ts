import type { SetupContext } from '../tools/setup-context.ts';
import { nameOf, type VersionedName } from './client-name.ts';
import type { ClientIdentity } from './client.ts';
import { clientOfInstalled, installBrowser } from './install-browser.ts';
import { findInstalled } from './installed-browsers.ts';
import { browserProviders } from './browsers/providers/registry.ts';

/**
 * A version that is installed, else one that the machine has, else one that is fetched now (and kept).
 * @param spec what the user wrote; records carry it as the client's name.
 * @throws H2h3Error as `installBrowser`.
 */
export async function resolveVersioned(
  name: VersionedName,
  spec: string,
  context: SetupContext,
): Promise<ClientIdentity> {
  const here = await lookForVersion(name, spec, context);
  if (here !== undefined) return here;
  context.progress({ title: `${nameOf(name)} is not installed yet` });
  return clientOfInstalled(await installBrowser(name, context), spec, context);
}

/** A version that is installed, else one that the machine has; undefined for one that would have to be fetched. */
export async function lookForVersion(
  name: VersionedName,
  spec: string,
  context: SetupContext,
): Promise<ClientIdentity | undefined> {
  const installed = await findInstalled(name, context);
  if (installed !== undefined) return clientOfInstalled(installed, spec, context);
  for (const provider of browserProviders.filter(({ browsers }) => browsers.includes(name.browser))) {
    const found = await provider.find?.(name, context);
    if (found !== undefined) return { ...found, id: spec };
  }
  return undefined;
}
