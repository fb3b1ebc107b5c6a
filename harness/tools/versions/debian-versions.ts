import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { digestOf } from '../../../src/core/system/package-archive.ts';
import { makeScratch } from '../../../src/core/system/temporary-folder.ts';
import { emptyDebianSystem, fillDebianTree, debianTreeLack, type DebianTreeSpec } from '../debian-tree.ts';
import type { SetupContext } from '../setup-context.ts';
import type { OfferedVersion, VersionSource } from './version-source.ts';
import { readKept } from '../../../src/core/system/read-input.ts';
import { writeWhole } from '../../../src/core/system/write-whole.ts';
import { makeFolder } from '../../../src/core/system/storage-error.ts';

/** Suites that are looked through, the oldest first, with those that each is taken out of. */
const suites = {
  trixie: ['trixie'],
  'trixie-backports': ['trixie', 'trixie-backports'],
  forky: ['forky'],
  sid: ['sid'],
} as const satisfies Record<string, readonly string[]>;

type Suite = keyof typeof suites;
const suiteNames = Object.keys(suites) as Suite[];

/** Everything that is looked for in Debian: one look serves all. */
const lookedFor = ['nginx', 'haproxy', 'curl', 'ngtcp2-server'] as const;
export type DebianPackage = (typeof lookedFor)[number];

/** A list is asked for anew after this time: 31 MB, which take a busy machine some ten seconds. */
const freshForMs = 12 * 3600_000;

const indexSchema = z.object({
  askedAt: z.number(),
  packages: z.array(
    z.object({ name: z.string(), release: z.string(), suite: z.string(), sha256: z.string() }),
  ),
});
type DebianIndex = z.infer<typeof indexSchema>;

const indexFile = ({ cache }: Pick<SetupContext, 'cache'>): string =>
  path.join(cache.directory, 'debian-versions.json');

/** Undefined without a list that is fresh and whole. */
function keptIndex(context: SetupContext): DebianIndex | undefined {
  try {
    const text = readKept(indexFile(context), 'a list of Debian packages');
    if (text === null) return undefined;
    const index = indexSchema.parse(JSON.parse(text));
    const ageMs = Date.now() - index.askedAt;
    return ageMs >= 0 && ageMs < freshForMs ? index : undefined;
  } catch {
    // A torn list is asked for again.
    return undefined;
  }
}

/** What `apt-cache madison` says: `nginx | 1.30.6-2 | MIRROR sid/main amd64 Packages`. */
export function parseMadison(text: string): { name: string; release: string; suite: string }[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', release = '', place = ''] = line.split('|').map((cell) => cell.trim());
    const suite = /\s(\S+)\/main\s/.exec(place)?.[1];
    return suite === undefined || !place.endsWith('Packages') ? [] : [{ name, release, suite }];
  });
}

/** SHA-256 of each archive in what `apt-cache show` says, by `name=release`. */
export function parseDigests(text: string): Map<string, string> {
  const field = (record: string, name: string): string =>
    new RegExp(`^${name}: (\\S+)$`, 'm').exec(record)?.[1] ?? '';
  return new Map(
    text
      .split(/\n\n+/)
      .map((record) => [`${field(record, 'Package')}=${field(record, 'Version')}`, field(record, 'SHA256')]),
  );
}

async function askIndex(context: SetupContext): Promise<DebianIndex> {
  context.progress({ title: 'Asking Debian which versions it has (about 31 MB)' });
  makeFolder(context.cache.directory);
  const root = makeScratch(path.join(context.cache.directory, 'debian-index-'));
  try {
    const { apt } = await emptyDebianSystem(root, suiteNames, context);
    await apt('apt-get', ['update']);
    const rows = parseMadison(await apt('apt-cache', ['madison', ...lookedFor]));
    const digests = parseDigests(await apt('apt-cache', ['show', '--all-versions', ...lookedFor]));
    const packages = rows.flatMap((row) => {
      const sha256 = digests.get(`${row.name}=${row.release}`);
      return sha256 === undefined || sha256 === '' ? [] : [{ ...row, sha256 }];
    });
    return { askedAt: Date.now(), packages };
  } catch (thrown) {
    if (context.signal.aborted || !(thrown instanceof H2h3Error) || thrown.code === 'storage') throw thrown;
    throw new H2h3Error('unsupported', `Debian’s mirror cannot be asked: ${thrown.message}`, {
      context: thrown.context,
      cause: thrown,
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function indexOf(context: SetupContext): Promise<DebianIndex> {
  const kept = keptIndex(context);
  if (kept !== undefined) return kept;
  const index = await askIndex(context);
  writeWhole(indexFile(context), JSON.stringify(index));
  return index;
}

/** `1.30.6` of `1.30.6-2`, `3.2.26` of `1:3.2.26-1~bpo13+1`. */
export const upstreamVersion = (release: string): string =>
  /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(release)?.[1] ?? '';

/**
 * Versions that Debian's suites have of a program.
 *
 * @param spec what the tree of a version is made of but for suite and version
 */
export function debianVersions(
  spec: Omit<DebianTreeSpec, 'suite' | 'packages' | 'from'> & {
    readonly package: DebianPackage;
    readonly others?: readonly string[];
  },
): VersionSource {
  return {
    title: `Debian ${suiteNames.join(', ')}`,
    unsupported: debianTreeLack,
    available: async (context) => {
      const { packages } = await indexOf(context);
      // The oldest suite that has a version keeps it for longest.
      const rank = ({ suite }: { readonly suite: string }): number => suiteNames.indexOf(suite as Suite);
      return packages
        .filter((row) => row.name === spec.package && rank(row) >= 0)
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ release, suite, sha256 }): OfferedVersion => ({
          version: upstreamVersion(release),
          release,
          origin: `Debian ${suite}`,
          integrity: `sha256:${sha256}`,
        }));
    },
    fill: async (offered, directory, context) => {
      const suite = offered.origin.replace(/^Debian /, '') as Suite;
      const tree = {
        ...spec,
        suite,
        from: suites[suite],
        packages: [`${spec.package}=${offered.release}`, ...(spec.others ?? [])],
      };
      await fillDebianTree(tree, directory, context, (file) => checkArchive(file, spec.package, offered));
      return offered.integrity ?? '';
    },
  };
}

/** apt has held it to the signed list by now; what is recorded must be what came. */
async function checkArchive(
  file: string,
  name: string,
  { integrity, release }: OfferedVersion,
): Promise<void> {
  if (!path.basename(file).startsWith(`${name}_`)) return;
  const got = `sha256:${await digestOf(file, 'sha256', 'hex')}`;
  if (got === integrity) return;
  throw new H2h3Error('bad-input', `${name} ${release} is not what Debian’s list says`, {
    context: { expected: integrity ?? 'none', got },
    next: 'Do not use it: the mirror, or something between, serves another file under this version.',
  });
}
