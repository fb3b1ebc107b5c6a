import { stat } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { askVersion } from './ask-version.ts';
import { isVersion, nameOf, type VersionedName } from './client-name.ts';
import type { ClientIdentity } from './client.ts';
import { browserFolders, readInstalled, toolNameOf } from './installed-browsers.ts';
import type { InstalledBrowser } from './installed-browsers.ts';
import { digestOf } from '../../src/core/system/package-archive.ts';
import { folderBytes } from '../tools/npm-registry.ts';
import type { BrowserDownload, BrowserProvider } from './browsers/providers/provider.ts';
import { browserProviders } from './browsers/providers/registry.ts';

/** Starts a browser and returns the version it says; passed in, so that tests need no browser. */
export type AskVersion = (client: ClientIdentity, context: SetupContext) => Promise<string>;

type Downloading = BrowserProvider & { readonly download: BrowserDownload };

/**
 * Fetches, checks and starts once the version that `name` means, and keeps it. What is installed already stays.
 * @throws H2h3Error `usage` for a version that does not exist, `unsupported` when it cannot be had or started here,
 * `bad-input` when what came is broken.
 */
export async function installBrowser(
  name: VersionedName,
  context: SetupContext,
  ask: AskVersion = askVersion,
): Promise<InstalledBrowser> {
  const provider = downloadingProvider(name, context);
  const release = await provider.download.resolve(name, context);
  const directory = await context.cache.install(
    toolNameOf(name.browser, release),
    (target) => fillFolder({ provider, versionedName: name, release, target, context, ask }),
    () =>
      context.progress({
        title: `Waiting until another run or arm has installed ${name.browser}@${release}`,
      }),
  );
  const installed = readInstalled(directory);
  if (isVersion(name.wanted) || installed.channels.includes(name.wanted)) return installed;
  browserFolders.mark(directory, { ...installed, channels: [...installed.channels, name.wanted] });
  return readInstalled(directory);
}

/** The release that a name means now, for another machine to fetch. @throws H2h3Error as `installBrowser` */
export function releaseOf(name: VersionedName, context: SetupContext): Promise<string> {
  return downloadingProvider(name, context).download.resolve(name, context);
}

function downloadingProvider(name: VersionedName, context: SetupContext): Downloading {
  const able = browserProviders.filter(({ browsers }) => browsers.includes(name.browser));
  const downloading = able.find((provider): provider is Downloading => provider.download !== undefined);
  const command = able.map((provider) => provider.installCommand?.(name)).find(Boolean);
  if (downloading === undefined)
    throw new H2h3Error('unsupported', `${nameOf(name)} is not on this machine`, {
      context: { client: nameOf(name) },
      next: `It comes as a package of the system, which is never installed by itself. Run: ${command ?? 'its installer'}`,
    });
  const reason = downloading.download.unsupported(context);
  if (reason === null) return downloading;
  throw new H2h3Error('unsupported', `${nameOf(name)} cannot be had here: ${reason}`);
}

interface FillFolderOptions {
  readonly provider: Downloading;
  readonly versionedName: VersionedName;
  readonly release: string;
  readonly target: string;
  readonly context: SetupContext;
  readonly ask: AskVersion;
}

async function fillFolder({
  provider,
  versionedName: { browser },
  release,
  target,
  context,
  ask,
}: FillFolderOptions): Promise<void> {
  const filled = await provider.download.fill(browser, release, target, context);
  const executablePath = path.join(target, filled.executable);
  const { executable, family, name, build, origin, integrity } = filled;
  const about = { id: name, family, name, version: release, build, executablePath };
  const version = await ask(await identityIn(target, about, provider, context), context);
  browserFolders.mark(target, {
    schemaVersion: 1,
    browser,
    release,
    version,
    family,
    name,
    build,
    origin,
    integrity,
    executable,
    provider: provider.id,
    executableSha256: await digestOf(executablePath, 'sha256', 'hex'),
    sizeBytes: await folderBytes(target),
    installedAt: new Date((await stat(executablePath)).ctimeMs).toISOString(),
    channels: [],
  });
}

type InFolder = Pick<
  ClientIdentity,
  'id' | 'family' | 'name' | 'version' | 'build' | 'executablePath' | 'executableSha256'
>;

async function identityIn(
  directory: string,
  about: InFolder,
  provider: BrowserProvider | undefined,
  context: SetupContext,
): Promise<ClientIdentity> {
  const { executablePath } = about;
  const environment = (await provider?.download?.environment?.(directory, executablePath, context)) ?? {};
  return { ...about, environment, source: 'cache', headed: false };
}

/** The client of an installed version, under the name it was asked for. */
export function clientOfInstalled(
  installed: InstalledBrowser,
  id: string,
  context: SetupContext,
): Promise<ClientIdentity> {
  const { family, name, version, build, executablePath, directory, executableSha256 } = installed;
  const provider = browserProviders.find((known) => known.id === installed.provider);
  const about = { id, family, name, version, build, executablePath, executableSha256 };
  return identityIn(directory, about, provider, context);
}
