import type { SetupContext } from '../../../tools/setup-context.ts';
import { nameOf, type VersionedName } from '../../client-name.ts';
import type { ClientIdentity } from '../../client.ts';
import type { KnownClient } from '../../client-catalogue.ts';
import { findKnownClient } from '../../find-client.ts';
import type { BrowserProvider } from './provider.ts';

const windowsBases = ['%LOCALAPPDATA%', '%ProgramFiles%', '%ProgramFiles(x86)%'];

/** Where Playwright's installer and Microsoft's own packages put a channel. */
function channelClient(channel: string, title: string, suffix: string): KnownClient {
  const bundle = `Microsoft Edge${title === '' ? '' : ` ${title}`}`;
  return {
    id: 'edge',
    family: 'chromium',
    name: bundle,
    programs: [`microsoft-edge-${channel}`],
    places: {
      linux: [`/opt/microsoft/msedge${suffix}/msedge`],
      darwin: [`/Applications/${bundle}.app/Contents/MacOS/${bundle}`],
      win32: windowsBases.map(
        (base) => `${base}\\Microsoft\\Edge${title === '' ? '' : ` ${title}`}\\Application\\msedge.exe`,
      ),
    },
    installHint: `npx playwright install msedge${suffix}`,
  };
}

const channels: Readonly<Record<string, KnownClient>> = {
  stable: channelClient('stable', '', ''),
  beta: channelClient('beta', 'Beta', '-beta'),
  dev: channelClient('dev', 'Dev', '-dev'),
};

async function find(name: VersionedName, context: SetupContext): Promise<ClientIdentity | undefined> {
  const channel = channels[name.wanted];
  if (channel === undefined) return undefined;
  const found = await findKnownClient(channel, context);
  return found && { ...found, id: nameOf(name) };
}

/**
 * Edge's release channels, as Playwright names and installs them. They come as packages of the system, and those are
 * never installed by themselves: the command is printed.
 */
export const edgeChannels: BrowserProvider = {
  id: 'playwright',
  title: "Microsoft Edge's channels, installed by Playwright",
  browsers: ['edge'],
  channels: Object.keys(channels),
  find,
  installCommand: ({ wanted }) => channels[wanted]?.installHint ?? 'npx playwright install msedge',
};
