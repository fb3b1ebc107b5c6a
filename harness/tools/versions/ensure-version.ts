import { stat } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error, messageOf } from '../../../src/core/model/errors.ts';
import { digestOf } from '../../../src/core/system/package-archive.ts';
import { folderBytes } from '../npm-registry.ts';
import { nearestVersions, newestFirst, versionMatches } from '../version-order.ts';
import type { SetupContext } from '../setup-context.ts';
import { keepDigest, requireKnownDigest } from './known-digests.ts';
import {
  findInstalledVersion,
  versionFolders,
  versionTool,
  type InstalledVersion,
} from './installed-versions.ts';
import { latest } from './program-name.ts';
import type { OfferedVersion, VersionSource, VersionedProgram } from './version-source.ts';

interface Offer {
  readonly offered: OfferedVersion;
  readonly source: VersionSource;
}

interface Offers {
  /** Each version once, newest first. */
  readonly offers: readonly Offer[];
  /** Of the sources that could not be asked, why. */
  readonly faults: readonly string[];
}

async function offersOf({ sources }: VersionedProgram, context: SetupContext): Promise<Offers> {
  const offers = new Map<string, Offer>();
  const faults: string[] = [];
  for (const source of sources) {
    try {
      const reason = await source.unsupported(context);
      if (reason !== undefined) {
        faults.push(`${source.title}: ${reason}`);
        continue;
      }
      for (const offered of await source.available(context))
        if (!offers.has(offered.version)) offers.set(offered.version, { offered, source });
    } catch (thrown) {
      if (context.signal.aborted || !(thrown instanceof H2h3Error) || thrown.code === 'storage') throw thrown;
      faults.push(`${source.title}: ${messageOf(thrown)}`);
    }
  }
  const newest = [...offers.values()].toSorted((a, b) => newestFirst(a.offered.version, b.offered.version));
  return { offers: newest, faults };
}

/** Every version that can be fetched here, newest first, and why some registries could not be asked. */
export async function availableVersions(
  program: VersionedProgram,
  context: SetupContext,
): Promise<{ readonly versions: readonly OfferedVersion[]; readonly faults: readonly string[] }> {
  const { offers, faults } = await offersOf(program, context);
  return { versions: offers.map(({ offered }) => offered), faults };
}

/** @throws H2h3Error `usage` for a version that no registry has, `unsupported` where none can be asked */
async function resolve(
  program: VersionedProgram,
  wanted: string,
  context: SetupContext,
): Promise<Offer & { readonly others: readonly string[] }> {
  const { offers, faults } = await offersOf(program, context);
  const named = `${program.id}@${wanted}`;
  const found = offers.find(
    ({ offered }) =>
      wanted === latest || versionMatches(offered.version, wanted) || versionMatches(offered.release, wanted),
  );
  const all = offers.map(({ offered }) => offered.version);
  if (found !== undefined)
    return { ...found, others: all.filter((version) => version !== found.offered.version) };
  if (all.length === 0)
    throw new H2h3Error('unsupported', `${named} cannot be had: no registry can be asked`, {
      context: { got: faults.join('\n') },
      next: 'Versions that were fetched before (`npx h2h3 servers list`) work without a network.',
    });
  const near = wanted === latest ? all : nearestVersions(all, wanted);
  throw new H2h3Error('usage', `There is no ${named}`, {
    context: {
      expected: near.map((version) => `${program.id}@${version}`).join(', '),
      got: named,
      ...(faults.length === 0 ? {} : { notAsked: faults.join('; ') }),
    },
    next: '`npx h2h3 servers list --available` lists every version that can be had.',
  });
}

/** What `latest` turned out to mean, by program and cache: within one process it means that to the end. */
const newest = new Map<string, InstalledVersion>();

const newestKey = ({ id }: VersionedProgram, { cache }: SetupContext): string =>
  `${id} in ${cache.directory}`;

/** The version that `wanted` means, where it is here; `latest` means one only after something has asked for it. */
export async function versionHere(
  program: VersionedProgram,
  wanted: string,
  context: SetupContext,
): Promise<InstalledVersion | undefined> {
  if (wanted === latest) return newest.get(newestKey(program, context));
  return findInstalledVersion({ id: program.id, wanted }, context);
}

/**
 * The version that `wanted` means, from the cache where one is there, else fetched, checked and kept.
 *
 * @throws H2h3Error `usage` for one that does not exist, `unsupported` when it cannot be had here, `bad-input` when what
 * came is not what it must be
 */
export async function ensureVersion(
  program: VersionedProgram,
  wanted: string,
  context: SetupContext,
): Promise<InstalledVersion> {
  const here = await versionHere(program, wanted, context);
  if (here !== undefined) return here;
  const { offered, source, others } = await resolve(program, wanted, context);
  requireKnownDigest(program.id, offered, others, context);
  const about = `${program.name} ${offered.version} (${offered.origin})`;
  const directory = await context.cache.install(
    versionTool(program.id, offered.release),
    async (target) => {
      context.progress({ title: `Fetching ${about}, once` });
      const came = { ...offered, integrity: await source.fill(offered, target, context) };
      requireKnownDigest(program.id, came, others, context);
      await mark(program, came, target);
    },
    () => context.progress({ title: `Waiting until another run or arm has fetched ${about}` }),
  );
  const installed = versionFolders.read(directory);
  keepDigest(program.id, installed, context);
  if (wanted === latest) newest.set(newestKey(program, context), installed);
  return installed;
}

async function mark(
  program: VersionedProgram,
  came: OfferedVersion & { readonly integrity: string },
  target: string,
): Promise<void> {
  const { id, name, file } = program;
  const place = path.join(target, file);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined)
    throw new H2h3Error('bad-input', `${name} ${came.version} of ${came.origin} has no ${file}`, {
      next: 'Choose another version (`npx h2h3 servers list --available`).',
    });
  versionFolders.mark(target, {
    schemaVersion: 1,
    id,
    ...came,
    file,
    fileSha256: await digestOf(place, 'sha256', 'hex'),
    sizeBytes: await folderBytes(target),
    installedAt: new Date().toISOString(),
  });
}
