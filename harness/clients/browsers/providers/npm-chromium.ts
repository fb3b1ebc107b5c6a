import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { ensureEmbeddedChromium, findEmbeddedPackage } from '../embedded-chromium.ts';
import { shellEnvironment, shellProgram } from '../../../tools/headless-shell-package.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';
import type { ClientIdentity } from '../../client.ts';
import { isVersion, nameOf, type VersionedBrowser, type VersionedName } from '../../client-name.ts';
import { isPrerelease, nearestVersions, newestFirst, versionMatches } from '../../../tools/version-order.ts';
import { publishedVersions } from '../../../tools/npm-registry.ts';
import { fetchShell, shellPackage } from './npm-shell.ts';
import type { BrowserProvider, FilledBrowser } from './provider.ts';

const newestWords = ['stable', 'latest'];

async function available(context: SetupContext): Promise<string[]> {
  return (await publishedVersions(shellPackage, context)).toSorted(newestFirst);
}

/** `153` is the newest 153 that was published; versions before a release must be named whole. */
async function resolve(name: VersionedName, context: SetupContext): Promise<string> {
  const { wanted } = name;
  const all = await available(context);
  const found = newestWords.includes(wanted)
    ? all.find((version) => !isPrerelease(version))
    : (all.find((version) => !isPrerelease(version) && versionMatches(version, wanted)) ??
      all.find((version) => version === wanted));
  if (found !== undefined) return found;
  const near = isVersion(wanted) ? nearestVersions(all, wanted) : ['stable', ...all.slice(0, 3)];
  throw new H2h3Error('usage', `There is no ${nameOf(name)}`, {
    context: {
      expected: `such as ${near.map((version) => `chromium@${version}`).join(', ')}`,
      got: nameOf(name),
    },
    next: '`npx h2h3 browsers list --available` lists every version that can be had.',
  });
}

/** The version that is the embedded one is kept once. */
async function find(name: VersionedName, context: SetupContext): Promise<ClientIdentity | undefined> {
  const embedded = await findEmbeddedPackage(context);
  if (embedded === undefined || !isVersion(name.wanted) || !versionMatches(embedded.version, name.wanted))
    return undefined;
  return { ...(await ensureEmbeddedChromium(context)), id: nameOf(name) };
}

async function fill(
  _browser: VersionedBrowser,
  release: string,
  directory: string,
  context: SetupContext,
): Promise<FilledBrowser> {
  const integrity = await fetchShell(release, directory, context);
  return {
    executable: shellProgram,
    family: 'chromium',
    name: 'Chromium headless shell',
    build: 'headless-shell',
    origin: `npm ${shellPackage}@${release}`,
    integrity,
  };
}

/** Chromium's headless shell as npm brings it: works wherever a package can be installed. */
export const npmChromium: BrowserProvider = {
  id: 'npm',
  title: `Chromium headless shells out of the npm package ${shellPackage} (Linux on x64)`,
  browsers: ['chromium'],
  channels: newestWords,
  find,
  download: {
    unsupported: ({ platform, arch }) =>
      platform === 'linux' && arch === 'x64'
        ? null
        : `versions of Chromium from npm run on Linux on x64 only, this is ${platform} ${arch}; chrome-headless-shell@… is for every system`,
    resolve,
    fill,
    environment: shellEnvironment,
    available,
  },
};
