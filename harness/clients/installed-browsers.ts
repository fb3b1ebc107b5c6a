import path from 'node:path';
import { z } from 'zod';
import type { SetupContext } from '../tools/setup-context.ts';
import { installedFolders, type InstalledFolder } from '../tools/installed-folders.ts';
import { versionedBrowsers, type VersionedName } from './client-name.ts';
import { newestFirst, versionMatches } from '../tools/version-order.ts';

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
export interface InstalledBrowser extends BrowserMarker, InstalledFolder {
  readonly executablePath: string;
}

/** Name of the tool in the cache. */
export function toolNameOf(browser: string, release: string): string {
  return `${toolPrefix}${browser}-${release}`;
}

/** The folders of browsers. */
export const browserFolders = installedFolders({
  schema: markerSchema,
  prefix: toolPrefix,
  markerFile: 'h2h3-browser.json',
  what: 'browser',
  next: 'Remove that folder and install the version again.',
});

/** Every installed version, browser by browser, the newest first. */
export async function listInstalled(context: Pick<SetupContext, 'cache'>): Promise<InstalledBrowser[]> {
  const installed = (await browserFolders.list(context)).map(withProgram);
  return installed.toSorted(
    (a, b) =>
      versionedBrowsers.indexOf(a.browser) - versionedBrowsers.indexOf(b.browser) ||
      newestFirst(a.version, b.version),
  );
}

/** @throws H2h3Error `bad-input` for a folder that is no whole browser */
export function readInstalled(directory: string): InstalledBrowser {
  return withProgram(browserFolders.read(directory));
}

function withProgram(found: BrowserMarker & InstalledFolder): InstalledBrowser {
  return { ...found, executablePath: path.join(found.directory, found.executable) };
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
