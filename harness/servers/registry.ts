import type { SetupContext } from '../tools/setup-context.ts';
import { createCaddyProvider } from './caddy.ts';
import type { ServerProvider } from './server.ts';

/** Every origin software; the first is the default. A new one is a file beside this and a line here. */
export function serverProviders(context: SetupContext): readonly ServerProvider[] {
  return [createCaddyProvider(context)];
}
