import { envoyProxy } from '../servers/envoy.ts';
import { providersOf } from '../servers/server-kit.ts';
import type { ServerSoftware } from '../servers/server-software.ts';
import type { ServerProvider } from '../servers/server.ts';
import { softwareNamed } from '../servers/versioned-server.ts';
import type { SetupContext } from '../tools/setup-context.ts';

/** Every proxy that may stand between client and server; a new one is a file and a line here. */
export const proxySoftware: readonly ServerSoftware[] = [envoyProxy('h2'), envoyProxy('h3')];

/** The proxy of a plan's name: `envoy`, or `envoy@1.39`; undefined for a name that is none. */
export const proxyNamed = (name: string): ServerSoftware | undefined => softwareNamed(name, proxySoftware);

/** Those of these names, ready to be started; default: each without a version. */
export function proxyProviders(
  context: SetupContext,
  names: readonly string[] = proxySoftware.map(({ id }) => id),
): readonly ServerProvider[] {
  return providersOf(names.map(proxyNamed), context);
}
