import { availableVersions, ensureVersion } from '../../../harness/tools/versions/ensure-version.ts';
import {
  installedVersions,
  isVersionNamed,
  type InstalledVersion,
} from '../../../harness/tools/versions/installed-versions.ts';
import { removeInstalled } from '../../../harness/tools/installed-folders.ts';
import { versionedProgram, versionedPrograms } from '../../../harness/tools/versions/catalogue.ts';
import { parseProgramName, type ProgramName } from '../../../harness/tools/versions/program-name.ts';
import type { OfferedVersion, VersionedProgram } from '../../../harness/tools/versions/version-source.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { digestOf } from '../../core/system/package-archive.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { installEach } from '../install-each.ts';
import { join } from 'node:path';

export type { InstalledVersion } from '../../../harness/tools/versions/installed-versions.ts';

/** The name by which a fetched version can be asked for: `nginx@1.30.6`. */
export const exactVersionName = ({ id, version }: Pick<InstalledVersion, 'id' | 'version'>): string =>
  `${id}@${version}`;

export interface ListVersionsOptions {
  /** Also every version that can be fetched (asks the registries). Default: no. */
  readonly available?: boolean | undefined;
  /** Compare each fetched program with its checksum. Default: no. */
  readonly verify?: boolean | undefined;
}

export interface AvailableVersions {
  readonly id: string;
  readonly versions: readonly OfferedVersion[];
  /** Registries that could not be asked, with the reason. */
  readonly faults: readonly string[];
}

export interface ListedVersions {
  /** Versions that were fetched by name. */
  readonly installed: readonly InstalledVersion[];
  /** What a server's name means without a version, where that is here. */
  readonly usual: readonly { readonly id: string; readonly version: string; readonly place: string }[];
  /** Names of fetched versions whose program differs from what was fetched. */
  readonly broken: readonly string[];
  /** Null unless asked for. */
  readonly available: readonly AvailableVersions[] | null;
}

/** Versions of servers and command-line clients that are here, and those that can be had. */
export async function listVersions(
  options: ListVersionsOptions,
  context: AppContext,
): Promise<ListedVersions> {
  const setup = await setupContextOf(context);
  const installed = await installedVersions(setup);
  const usual = await Promise.all(
    serverSoftware.map(async ({ id, find }) => {
      const found = await find(setup);
      return found === undefined ? [] : [{ id, version: found.version, place: found.place }];
    }),
  );
  return {
    installed,
    usual: usual.flat(),
    available: options.available === true ? await allAvailable(setup) : null,
    broken: options.verify === true ? await brokenOf(installed) : [],
  };
}

async function allAvailable(setup: SetupContext): Promise<AvailableVersions[]> {
  const lists: AvailableVersions[] = [];
  for (const program of Object.values<VersionedProgram>(versionedPrograms))
    lists.push({ id: program.id, ...(await availableVersions(program, setup)) });
  return lists;
}

async function brokenOf(installed: readonly InstalledVersion[]): Promise<string[]> {
  const broken: string[] = [];
  for (const version of installed) {
    const got = await digestOf(join(version.directory, version.file), 'sha256', 'hex').catch(() => '');
    if (got !== version.fileSha256) broken.push(exactVersionName(version));
  }
  return broken;
}

/** @throws H2h3Error `usage` for a name without a version, or of which no versions can be had */
function namedVersion(spec: string): ProgramName & { readonly program: VersionedProgram } {
  const name = parseProgramName(spec);
  const ids = Object.keys(versionedPrograms);
  const program = versionedProgram(name?.id ?? spec);
  if (name !== undefined && program !== undefined) return { ...name, program };
  const why =
    program === undefined ? `no versions of "${name?.id ?? spec}" can be had` : `"${spec}" names no version`;
  throw new H2h3Error('usage', why, {
    context: { expected: `one of ${ids.join(', ')} with @ and a version, such as nginx@1.30`, got: spec },
    next: didYouMean(name?.id ?? spec, ids, '`npx h2h3 servers list --available` lists versions.'),
  });
}

/**
 * Fetches versions, checks them and starts each server once.
 *
 * @param onInstalled called after each
 * @throws H2h3Error of the first that was not installed, after all were tried
 */
export async function installVersions(
  specs: readonly string[],
  context: AppContext,
  onInstalled: (version: InstalledVersion) => void,
): Promise<void> {
  const names = specs.map(namedVersion);
  const setup = await setupContextOf(context);
  await installEach(names, 'fetched', context.progress, async ({ id, wanted, program }) => {
    const installed = await ensureVersion(program, wanted, setup);
    await serverNamed(`${id}@${installed.version}`)?.ensure(setup);
    onInstalled(installed);
  });
}

/** Removes fetched versions; `nginx@1.30` removes every 1.30. @throws H2h3Error `usage` for what was not fetched */
export async function removeVersions(
  specs: readonly string[],
  context: AppContext,
  onRemoved: (version: InstalledVersion) => void,
): Promise<void> {
  const installed = await installedVersions(await setupContextOf(context));
  const doomed = specs.map(namedVersion).flatMap((name) => {
    const named = installed.filter((version) => isVersionNamed(version, name));
    if (named.length > 0) return named;
    throw new H2h3Error('usage', `${name.id}@${name.wanted} was not fetched`, {
      context: { expected: installed.map(exactVersionName).join(', ') || 'nothing was fetched by name' },
    });
  });
  for (const version of new Set(doomed)) {
    await removeInstalled(version);
    onRemoved(version);
  }
}
