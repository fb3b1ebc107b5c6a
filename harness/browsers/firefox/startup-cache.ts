import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killTree } from '../../processes/kill-tree.ts';
import { chooseCacheDir, openToolCache } from '../../setup/tool-cache.ts';
import { within } from '../deadline.ts';
import { BidiSession } from './bidi-connection.ts';
import { FirefoxProcess, type FirefoxProcessOptions } from './firefox-process.ts';
import type { Preferences } from './preferences.ts';
import { writeProfile } from './profile.ts';

/**
 * What Firefox compiled of its own user interface, kept from an earlier start: with it a start takes little more
 * than half the time. It holds nothing of any page or network; Firefox itself refuses it when it is of another build.
 */
const keptEntries = ['startupCache', 'compatibility.ini'] as const;

const priming = { launchLimitMs: 60_000, endLimitMs: 20_000 } as const;

/** Folder of the kept entries for this build of Firefox; made by one start and orderly end of it when it is missing. */
export async function startupCacheOf(
  start: (profileDir: string) => FirefoxProcessOptions,
  executablePath: string,
  preferences: Preferences,
  cacheDir?: string,
): Promise<string> {
  const cache = openToolCache(cacheDir ?? (await projectCacheDir()));
  return cache.install(`firefox-startup-${await buildKey(executablePath)}`, (directory) =>
    prime(directory, start, preferences),
  );
}

/** Copies the kept entries into a new profile. */
export async function seedProfile(startupCacheDir: string, profileDir: string): Promise<void> {
  await cp(startupCacheDir, profileDir, { recursive: true });
}

function projectCacheDir(): Promise<string> {
  return chooseCacheDir({
    projectDir: fileURLToPath(new URL('../../..', import.meta.url)),
    homeDir: homedir(),
    platform: process.platform,
    environment: process.env,
  });
}

async function buildKey(executablePath: string): Promise<string> {
  const file = await realpath(executablePath);
  const { mtimeMs, size } = await stat(file);
  return createHash('sha256').update(`${file} ${mtimeMs} ${size}`).digest('hex').slice(0, 16);
}

async function prime(
  directory: string,
  start: (profileDir: string) => FirefoxProcessOptions,
  preferences: Preferences,
): Promise<void> {
  const profileDir = await mkdtemp(join(tmpdir(), 'h2h3-firefox-startup-'));
  try {
    await writeProfile(profileDir, preferences);
    const browser = new FirefoxProcess(start(profileDir));
    try {
      const bidi = await within(
        browser.endpoint.then((endpoint) => BidiSession.open(endpoint)),
        priming.launchLimitMs,
        'the first start of Firefox',
      );
      // The caches are written when Firefox ends in order.
      bidi.send('browser.close', {}).catch(() => undefined);
      await within(browser.ended, priming.endLimitMs, 'the orderly end of Firefox');
    } finally {
      if (browser.pid !== undefined) await killTree(browser.pid);
    }
    await mkdir(directory, { recursive: true });
    for (const entry of keptEntries)
      await cp(join(profileDir, entry), join(directory, entry), { recursive: true });
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
