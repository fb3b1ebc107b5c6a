import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  PrepareContext,
  PreparedWorkload,
  Workload,
  WorkloadFacts,
} from '../../src/core/model/workload.ts';
import { localisePage } from '../localise/localise-page.ts';
import { PackageSpace } from '../localise/package-space.ts';
import { shortHash, writeRoots } from '../localise/write-roots.ts';
import { makeWhole } from '../make-whole.ts';
import { fetchPackage } from '../packages/fetch-package.ts';
import { packageSpec } from '../packages/pinned-package.ts';
import type { PageSource } from './page-source.ts';
import { readKept } from '../../src/core/system/read-input.ts';

/** Raise it when the same source gives other files than before. */
const generatorVersion = 3;
const quietMs = 400;
const deadlineMs = 60_000;
const expectedTrialMs = 2_500;

/** A page of npm packages as a workload. Prepared once for each port, because pages name their hosts with it. */
export function pageWorkload(source: PageSource): Workload {
  return {
    id: `page-${source.id}`,
    kind: 'page',
    title: source.title,
    facts: factsOf(source),
    expectedTrialMs,
    prepare: (context) => prepare(source, context),
  };
}

function factsOf(source: PageSource): WorkloadFacts {
  const own = source.mounts[source.own];
  const others = Object.entries(source.mounts).filter(([name]) => name !== source.own);
  const packages = [own, ...others.map(([, mount]) => mount)].filter((mount) => mount !== undefined);
  return {
    objectCount: source.measured.objects,
    hostCount: source.measured.hosts,
    wireBytes: source.measured.wireBytes,
    types: { ...source.measured.types },
    source: `npm ${packages.map((mount) => packageSpec(mount.package)).join(', ')}`,
    licence: [...new Set(packages.map((mount) => mount.package.licence))].join(' AND '),
  };
}

async function prepare(source: PageSource, context: PrepareContext): Promise<PreparedWorkload> {
  const key = shortHash({ generatorVersion, source: describeSource(source), port: context.port });
  const directory = join(context.cacheDir, 'pages', `${source.id}-${key}`);
  const hosts = hostsOf(directory) ?? (await generate(source, directory, context));
  return {
    id: `page-${source.id}`,
    kind: 'page',
    title: source.title,
    roots: hosts.map((host) => ({ host, directory: join(directory, host) })),
    entry: { host: `www.${source.id}.h2h3.test`, path: `/${source.entry}` },
    driver: 'load',
    quietMs,
    deadlineMs,
    loggedHosts: [],
    mediaBufferMegabytes: 0,
    facts: factsOf(source),
  };
}

/** `RegExp` does not survive JSON. */
function describeSource(source: PageSource): unknown {
  return { ...source, removedScripts: source.removedScripts?.source, measured: undefined };
}

function hostsOf(directory: string): string[] | null {
  const text = readKept(join(directory, 'hosts.json'), 'the hosts of a page');
  return text === null ? null : (JSON.parse(text) as string[]);
}

async function generate(source: PageSource, directory: string, context: PrepareContext): Promise<string[]> {
  const directories = new Map<string, string>();
  for (const [name, mount] of Object.entries(source.mounts)) {
    directories.set(name, await fetchPackage(mount.package, context));
  }
  context.progress({ title: `Preparing ${source.title}` });
  const page = await localisePage(source, new PackageSpace(source, directories), context.port);
  const hosts = [...new Set(page.files.map((file) => file.host))].sort();
  await makeWhole(directory, async (scratch) => {
    await writeRoots(scratch, page.files);
    await writeFile(join(scratch, 'stripped.json'), JSON.stringify(page.stripped, null, 1));
    await writeFile(join(scratch, 'hosts.json'), JSON.stringify(hosts));
    return scratch;
  });
  return hosts;
}
