import type { SetupContext } from '../tools/setup-context.ts';
import { caddy } from './caddy.ts';
import { envoy } from './envoy.ts';
import { go } from './go.ts';
import { haproxy } from './haproxy.ts';
import { nginx } from './nginx.ts';
import { ngtcp2 } from './ngtcp2.ts';
import { providersOf } from './server-kit.ts';
import type { ServerSoftware } from './server-software.ts';
import type { ServerProvider } from './server.ts';
import { tquic } from './tquic.ts';
import { softwareNamed } from './versioned-server.ts';

/** Every origin software; the first is the default. A new one is a file next to this and a line here. */
export const serverSoftware: readonly ServerSoftware[] = [caddy, nginx, envoy, haproxy, ngtcp2, go, tquic];

/** The origin software of a plan's name: `nginx`, or `nginx@1.30`; undefined for a name that is none. */
export const serverNamed = (name: string): ServerSoftware | undefined => softwareNamed(name, serverSoftware);

/** Those of these names, ready to be started; default: each without a version. */
export function serverProviders(
  context: SetupContext,
  names: readonly string[] = serverSoftware.map(({ id }) => id),
): readonly ServerProvider[] {
  return providersOf(names.map(serverNamed), context);
}
