import type { SetupContext } from '../tools/setup-context.ts';
import { caddy } from './caddy.ts';
import { envoy } from './envoy.ts';
import { haproxy } from './haproxy.ts';
import { nginx } from './nginx.ts';
import { serverProvider } from './server-kit.ts';
import type { ServerSoftware } from './server-software.ts';
import type { ServerProvider } from './server.ts';

/** Every origin software; the first is the default. A new one is a file beside this and a line here. */
export const serverSoftware: readonly ServerSoftware[] = [caddy, nginx, envoy, haproxy];

/** The same, ready to be started. */
export function serverProviders(context: SetupContext): readonly ServerProvider[] {
  return serverSoftware.map((software) => serverProvider(software, context));
}
