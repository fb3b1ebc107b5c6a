import {
  describeEmbeddedChromium,
  ensureEmbeddedChromium,
} from '../../../harness/clients/browsers/embedded-chromium.ts';
import { setUpCommandClients } from '../../../harness/clients/set-up-command-clients.ts';
import { setUpServers } from '../../../harness/servers/set-up-servers.ts';
import { setup as install } from '../../../harness/tools/setup.ts';
import { optionalPackages, systemSetup } from '../../../harness/tools/system-setup.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

/** What `with` can name. */
export const optionalParts = Object.keys(optionalPackages);

export interface SetupOptions {
  /** Also install the system's packages, by apt-get, and fetch every server and command-line client. Default: no. */
  readonly system?: boolean | undefined;
  /** Parts that few need, such as `webkit`; with `system`. Default: none. */
  readonly with?: readonly string[] | undefined;
}

/** Fetches and builds what the benches need; returns a line for each thing. */
export async function setup(options: SetupOptions, context: AppContext): Promise<string[]> {
  const setupContext = await setupContextOf(context);
  if (options.system !== true) {
    if (options.with === undefined) return install(setupContext);
    throw new H2h3Error('usage', '--with says what --system installs besides', { next: 'Give both.' });
  }
  await systemSetup(setupContext, (line) => context.progress.say(line), options.with);
  return [
    ...(await install(setupContext)),
    ...(await setUpEmbedded(setupContext)),
    ...(await setUpServers(setupContext)),
    ...(await setUpCommandClients(setupContext)),
  ];
}

async function setUpEmbedded(context: SetupContext): Promise<string[]> {
  if ((await describeEmbeddedChromium(context)) === undefined) return [];
  const { name, version, executablePath } = await ensureEmbeddedChromium(context);
  return [`${name} ${version}: ${executablePath}`];
}
