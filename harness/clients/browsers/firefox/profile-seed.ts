import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { untilIdle } from '../../../../src/core/system/processes/idle.ts';
import { treeCpuReader } from '../../../../src/core/system/processes/tree-cpu.ts';
import { killTree } from '../../../../src/core/system/processes/kill-tree.ts';
import { chooseCacheDir, openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { within } from '../deadline.ts';
import { BidiSession } from './bidi-connection.ts';
import { FirefoxProcess, type FirefoxProcessOptions } from './firefox-process.ts';
import type { Preferences } from './preferences.ts';
import { writeProfile } from './profile.ts';
import { packageDirOf } from '../../../../src/core/system/module-file.ts';
import { makeTemporary } from '../../../../src/core/system/temporary-folder.ts';

/**
 * What Firefox makes for itself in every new profile before it has seen a page: its compiled user interface, and
 * empty databases with what the build ships to fill them (add-ons, search engines, its own settings). With it a
 * start takes half the time and a fifth less CPU time runs on into the load. No cache of the network, no cookies,
 * no history, no identity is among it, and Firefox itself discards what is of another build.
 */
const seedEntries =
  /^(startupCache|compatibility\.ini|addonStartup\.json\.lz4|extensions\.json|extension-preferences\.json|extension-store|cert9\.db|key4\.db|pkcs11\.txt|(places|favicons|permissions|content-prefs|domain_to_categories)\.sqlite(-wal)?|storage|storage\.sqlite|security_state|search\.json\.mozlz4|containers\.json|handlers\.json)$/;
/** Goes into the name of the seed; raise it when the entries change. */
const seedFormat = 2;

const priming = {
  launchLimitMs: 60_000,
  settled: { intervalMs: 60, intervals: 3, limitMs: 10_000 },
  endLimitMs: 20_000,
} as const;

export interface SeedOptions {
  readonly executablePath: string;
  readonly preferences: Preferences;
  readonly start: (profileDir: string) => FirefoxProcessOptions;
  /** By default the project's cache. */
  readonly cacheDir?: string;
}

/** Folder of the seed for this build of Firefox; made by one start and orderly end of it when it is missing. */
export async function profileSeed(options: SeedOptions): Promise<string> {
  const cache = openToolCache(options.cacheDir ?? (await projectCacheDir()));
  const build = await buildKey(options.executablePath);
  return cache.install(`firefox-profile-${build}`, (directory) => prime(directory, options));
}

/** Copies the seed into a new profile. */
export async function sowProfile(seedDir: string, profileDir: string): Promise<void> {
  await cp(seedDir, profileDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function projectCacheDir(): Promise<string> {
  return chooseCacheDir({
    projectDir: packageDirOf(import.meta.url),
    homeDir: homedir(),
    platform: process.platform,
    environment: process.env,
  });
}

async function buildKey(executablePath: string): Promise<string> {
  const file = await realpath(executablePath);
  const { mtimeMs, size } = await stat(file);
  const text = `${seedFormat} ${file} ${mtimeMs} ${size}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function prime(seedDir: string, options: SeedOptions): Promise<void> {
  const profileDir = makeTemporary('firefox');
  try {
    await writeProfile(profileDir, options.preferences);
    await startAndEnd(options.start(profileDir));
    for (const entry of await readdir(profileDir))
      if (seedEntries.test(entry))
        await cp(join(profileDir, entry), join(seedDir, entry), { recursive: true });
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function startAndEnd(options: FirefoxProcessOptions): Promise<void> {
  const browser = new FirefoxProcess(options);
  try {
    const opening = browser.endpoint.then((endpoint) => BidiSession.open(endpoint, false));
    const bidi = await within(opening, priming.launchLimitMs, 'the first start of Firefox');
    await untilIdle(treeCpuReader(browser.pid ?? 0), priming.settled);
    // Much is written only when Firefox ends in order.
    bidi.send('browser.close', {}).catch(() => undefined);
    await within(browser.ended, priming.endLimitMs, 'the orderly end of Firefox');
  } finally {
    if (browser.pid !== undefined) await killTree(browser.pid);
  }
}
