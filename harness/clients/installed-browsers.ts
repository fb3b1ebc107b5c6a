import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { isAlive } from '../../src/system/processes/process-identity.ts';
import { versionedBrowsers, type VersionedName } from './client-name.ts';
import { newestFirst, versionMatches } from './version-order.ts';

/** File that an installed browser's folder holds; written after everything else. */
const markerFile = 'h2h3-browser.json';
const toolPrefix = 'browser-';

const markerSchema = z.object({
  schemaVersion: z.literal(1),
  browser: z.enum(versionedBrowsers),
  /** As its source counts: `153.0.0` of the npm package. */
  release: z.string(),
  /** What the browser says of itself. */
  version: z.string(),
  family: z.enum(['chromium', 'firefox']),
  name: z.string(),
  build: z.enum(['full', 'headless-shell']),
  provider: z.string(),
  origin: z.string(),
  integrity: z.string().nullable(),
  /** Of the folder, whose other paths it is the base of. */
  executable: z.string(),
  executableSha256: z.string(),
  sizeBytes: z.number(),
  installedAt: z.string(),
  /** Channel words that meant this release when they were last asked for. */
  channels: z.array(z.string()),
});
export type BrowserMarker = z.infer<typeof markerSchema>;

/** A version that was installed here. */
export interface InstalledBrowser extends BrowserMarker {
  readonly directory: string;
  readonly executablePath: string;
}

/** Name of the tool in the cache. */
export function toolNameOf(browser: string, release: string): string {
  return `${toolPrefix}${browser}-${release}`;
}

/** Writes the marker whole or not at all. */
export async function writeMarker(directory: string, marker: BrowserMarker): Promise<void> {
  const file = path.join(directory, markerFile);
  await writeFile(`${file}.new`, `${JSON.stringify(markerSchema.parse(marker), null, 1)}\n`);
  await rename(`${file}.new`, file);
}

/** @throws H2h3Error `bad-input` for a folder whose marker is missing or malformed. */
export async function readMarker(directory: string): Promise<InstalledBrowser> {
  try {
    const text = await readFile(path.join(directory, markerFile), 'utf8');
    const marker = markerSchema.parse(JSON.parse(text));
    return { ...marker, directory, executablePath: path.join(directory, marker.executable) };
  } catch (cause) {
    throw new H2h3Error('bad-input', `${directory} holds no whole browser`, {
      context: { file: path.join(directory, markerFile) },
      next: `Remove that folder and install the version again.`,
      cause,
    });
  }
}

const partialPattern = /\.(partial-|lock$)/;

function toolEntries(toolsDir: string): Promise<string[]> {
  return readdir(toolsDir).catch((thrown: unknown) => {
    if (hasErrno(thrown, 'ENOENT')) return [];
    throw thrown;
  });
}

/** Every installed version, browser by browser, the newest first. */
export async function listInstalled(context: Pick<SetupContext, 'cache'>): Promise<InstalledBrowser[]> {
  const toolsDir = path.dirname(context.cache.directoryOf('any'));
  const entries = await toolEntries(toolsDir);
  const names = entries.filter((entry) => entry.startsWith(toolPrefix) && !partialPattern.test(entry));
  const installed = await Promise.all(names.map((name) => readMarker(path.join(toolsDir, name))));
  return installed.toSorted(
    (a, b) =>
      versionedBrowsers.indexOf(a.browser) - versionedBrowsers.indexOf(b.browser) ||
      newestFirst(a.version, b.version),
  );
}

/** Whether an installed version is one that `name` may mean. */
export function isNamed(browser: BrowserMarker, { browser: wantedBrowser, wanted }: VersionedName): boolean {
  return (
    browser.browser === wantedBrowser &&
    (browser.channels.includes(wanted) ||
      versionMatches(browser.release, wanted) ||
      versionMatches(browser.version, wanted))
  );
}

/** The newest installed version that `name` means, or undefined. */
export async function findInstalled(
  name: VersionedName,
  context: Pick<SetupContext, 'cache'>,
): Promise<InstalledBrowser | undefined> {
  return (await listInstalled(context)).find((browser) => isNamed(browser, name));
}

/** Removes what installations left whose process is gone; returns how many. */
export async function removeAbandoned(context: Pick<SetupContext, 'cache'>): Promise<number> {
  const toolsDir = path.dirname(context.cache.directoryOf('any'));
  let removed = 0;
  for (const entry of await toolEntries(toolsDir)) {
    const pid = /\.partial-(\d+)-/.exec(entry)?.[1];
    if (!entry.startsWith(toolPrefix) || pid === undefined || isAlive(Number(pid))) continue;
    await rm(path.join(toolsDir, entry), { recursive: true, force: true });
    removed++;
  }
  return removed;
}

/** Removes an installed version. Its name is given up first, so that half of it never counts as installed. */
export async function removeInstalled({ directory }: Pick<InstalledBrowser, 'directory'>): Promise<void> {
  const doomed = `${directory}.partial-${process.pid}-removed`;
  await rename(directory, doomed);
  await rm(doomed, { recursive: true, force: true });
}
