import { envoyProxy } from '../servers/envoy.ts';
import { serverProvider } from '../servers/server-kit.ts';
import type { ServerSoftware } from '../servers/server-software.ts';
import type { ServerProvider } from '../servers/server.ts';
import type { SetupContext } from '../tools/setup-context.ts';

/** Every proxy that may stand between client and server; a new one is a file and a line here. */
export const proxySoftware: readonly ServerSoftware[] = [envoyProxy('h2'), envoyProxy('h3')];

/** The same, ready to be started. */
export function proxyProviders(context: SetupContext): readonly ServerProvider[] {
  return proxySoftware.map((software) => serverProvider(software, context));
}
