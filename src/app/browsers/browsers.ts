import { isVersion, parseVersionedName, type VersionedName } from '../../../harness/clients/client-name.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { installBrowser } from '../../../harness/clients/install-browser.ts';
import {
  browserFolders,
  isNamed,
  listInstalled,
  type InstalledBrowser,
} from '../../../harness/clients/installed-browsers.ts';
import { removeInstalled } from '../../../harness/tools/installed-folders.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { browserProviders } from '../../../harness/clients/browsers/providers/registry.ts';
import { digestOf } from '../../core/system/package-archive.ts';
import { chooseForPruning } from '../../../harness/clients/prune-browsers.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { readBaselines } from '../../store/baselines.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { installEach } from '../install-each.ts';

export type { InstalledBrowser } from '../../../harness/clients/installed-browsers.ts';

/** The name by which an installed version can be asked for: `chromium@153.0.0`. */
export const exactName = ({ browser, release }: InstalledBrowser): string => `${browser}@${release}`;

export interface ListBrowsersOptions {
  /** Also every version that can be fetched (asks the npm registry). Default: no. */
  readonly available?: boolean | undefined;
  /** Compare each installed program with its checksum. Default: no. */
  readonly verify?: boolean | undefined;
}

export interface ListedBrowsers {
  /** Versions that were installed by name. */
  readonly installed: readonly InstalledBrowser[];
  /** Clients of this machine, without what is not fetched yet. */
  readonly machine: readonly ClientIdentity[];
  /** Names of installed versions whose program differs from what was installed. */
  readonly broken: readonly string[];
  /** Null unless asked for. */
  readonly available: readonly { readonly provider: string; readonly versions: readonly string[] }[] | null;
}

/** Browsers of this machine, and versions that were installed by name. */
export async function listBrowsers(
  options: ListBrowsersOptions,
  context: AppContext,
): Promise<ListedBrowsers> {
  const setup = await setupContextOf(context);
  const installed = await listInstalled(setup);
  return {
    installed,
    machine: (await listClients(setup)).flatMap(({ state, found }) =>
      state === 'here' && found !== null ? found : [],
    ),
    available: options.available === true ? await availableVersions(setup) : null,
    broken: options.verify === true ? await brokenOf(installed) : [],
  };
}

async function brokenOf(installed: readonly InstalledBrowser[]): Promise<string[]> {
  const broken: string[] = [];
  for (const browser of installed)
    if ((await digestOf(browser.executablePath, 'sha256', 'hex')) !== browser.executableSha256)
      broken.push(exactName(browser));
  return broken;
}

async function availableVersions(
  setup: SetupContext,
): Promise<{ provider: string; versions: readonly string[] }[]> {
  const lists = [];
  for (const { title, browsers, download } of browserProviders) {
    const versions = await download?.available?.(setup);
    if (versions === undefined) continue;
    lists.push({ provider: title, versions: versions.map((version) => `${browsers[0] ?? ''}@${version}`) });
  }
  return lists;
}

/** @throws H2h3Error `usage` for a name without a version. */
function versionedName(spec: string): VersionedName {
  const name = parseVersionedName(spec);
  if (name !== undefined) return name;
  throw new H2h3Error('usage', `"${spec}" names no version`, {
    context: { expected: 'such as chromium@153, chrome@stable, firefox@beta', got: spec },
  });
}

/**
 * Fetches versions, checks them and starts each once.
 *
 * @param onInstalled called after each
 * @throws H2h3Error of the first that was not installed, after all were tried
 */
export async function installBrowsers(
  specs: readonly string[],
  context: AppContext,
  onInstalled: (browser: InstalledBrowser) => void,
): Promise<void> {
  const names = specs.map(versionedName);
  const setup = await setupContextOf(context);
  await installEach(names, 'installed', context.progress, async (name) =>
    onInstalled(await installBrowser(name, setup)),
  );
}

/** Removes installed versions; `chromium@123` removes every 123. @throws H2h3Error `usage` for what is not installed */
export async function removeBrowsers(
  specs: readonly string[],
  context: AppContext,
  onRemoved: (browser: InstalledBrowser) => void,
): Promise<void> {
  const installed = await listInstalled(await setupContextOf(context));
  const doomed = specs.map(versionedName).flatMap((name) => {
    const named = installed.filter((browser) => isNamed(browser, name));
    if (named.length > 0) return named;
    const which = isVersion(name.wanted) ? 'version' : 'channel';
    throw new H2h3Error('usage', `No installed ${name.browser} has the ${which} ${name.wanted}`, {
      context: { expected: installed.map(exactName).join(', ') || 'nothing is installed' },
    });
  });
  await removeAll([...new Set(doomed)], onRemoved);
}

export interface PruneOptions {
  /** Versions of each browser to keep. */
  readonly keep: number;
  /** Where accepted baselines are kept; what they name stays. */
  readonly resultsDir: string;
  /** Only say what would be removed. Default: no. */
  readonly dryRun?: boolean | undefined;
}

/** Removes all but the newest versions of each browser and those that accepted baselines use, and unfinished downloads. */
export async function pruneBrowsers(
  { keep, resultsDir, dryRun = false }: PruneOptions,
  context: AppContext,
  onRemoved: (browser: InstalledBrowser) => void,
): Promise<{ readonly chosen: readonly InstalledBrowser[]; readonly unfinished: number }> {
  const setup = await setupContextOf(context);
  const used = readBaselines(resultsDir).flatMap(({ client }) => parseVersionedName(client) ?? []);
  const chosen = chooseForPruning(await listInstalled(setup), keep, used);
  if (dryRun) return { chosen, unfinished: 0 };
  const unfinished = await browserFolders.removeAbandoned(setup);
  await removeAll(chosen, onRemoved);
  return { chosen, unfinished };
}

async function removeAll(
  doomed: readonly InstalledBrowser[],
  onRemoved: (browser: InstalledBrowser) => void,
): Promise<void> {
  for (const browser of doomed) {
    await removeInstalled(browser);
    onRemoved(browser);
  }
}
