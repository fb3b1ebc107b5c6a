import { z } from 'zod';
import { installedFolders, type InstalledFolder } from '../installed-folders.ts';
import { newestFirst, versionMatches } from '../version-order.ts';
import type { SetupContext } from '../setup-context.ts';
import { latest, type ProgramName } from './program-name.ts';

const toolPrefix = 'version-';

const markerSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  version: z.string(),
  release: z.string(),
  origin: z.string(),
  integrity: z.string(),
  /** Of the folder. */
  file: z.string(),
  fileSha256: z.string(),
  sizeBytes: z.number(),
  installedAt: z.string(),
});
type VersionMarker = z.infer<typeof markerSchema>;

/** A version that was fetched here. */
export type InstalledVersion = VersionMarker & InstalledFolder;

/** Name of a version's folder in the tool cache. */
export const versionTool = (id: string, release: string): string =>
  `${toolPrefix}${id}-${release.replaceAll(/[^\w.+~-]/g, '_')}`;

/** The folders of versions. */
export const versionFolders = installedFolders({
  schema: markerSchema,
  prefix: toolPrefix,
  markerFile: 'h2h3-version.json',
  what: 'version of a program',
  next: 'Remove that folder; the version is fetched again when it is needed.',
});

/** Every version that was fetched, program by program, the newest first. */
export async function installedVersions(context: Pick<SetupContext, 'cache'>): Promise<InstalledVersion[]> {
  const found = await versionFolders.list(context);
  return found.toSorted((a, b) => a.id.localeCompare(b.id, 'en') || newestFirst(a.version, b.version));
}

/** Whether an installed version is one that `name` means; `latest` is known to its registry alone. */
export const isVersionNamed = (marker: VersionMarker, { id, wanted }: ProgramName): boolean =>
  marker.id === id &&
  (wanted === latest || versionMatches(marker.version, wanted) || versionMatches(marker.release, wanted));

/** The newest installed version that `name` means; undefined without one, and for `latest`. */
export async function findInstalledVersion(
  name: ProgramName,
  context: Pick<SetupContext, 'cache'>,
): Promise<InstalledVersion | undefined> {
  if (name.wanted === latest) return undefined;
  return (await installedVersions(context)).find((version) => isVersionNamed(version, name));
}
