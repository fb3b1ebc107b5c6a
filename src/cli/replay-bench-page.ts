import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ReplayPage } from '../../harness/bench/replay-page.ts';
import { contentTypes } from '../../harness/servers/content-types.ts';
import { archiveOrigin, replicaWorkloads, writeArchive } from '../../sites/index.ts';
import { H2h3Error, hasErrno } from '../model/errors.ts';
import type { PrepareContext, SiteRoot, Workload } from '../model/workload.ts';

type Exchange = Parameters<typeof writeArchive>[2][number];

/**
 * Chromium keeps 256 connections over TCP at most. On a page of more hosts the order in which it closes some for others
 * changes the load time by half, which hides everything else.
 */
const mostHosts = 256;

/** The replicas of the most bytes and of the most objects, each with an archive below `folder` that gives the same answers. */
export async function writeReplayPages(folder: string, context: PrepareContext): Promise<ReplayPage[]> {
  const candidates = replicaWorkloads().filter(({ facts }) => (facts.hostCount ?? 0) <= mostHosts);
  const pages: ReplayPage[] = [];
  for (const measure of ['wireBytes', 'objectCount'] as const) {
    const [largest] = candidates.toSorted((a, b) => (b.facts[measure] ?? 0) - (a.facts[measure] ?? 0));
    if (!largest) throw new H2h3Error('internal', 'no replica ships');
    pages.push(await pageOf(largest, join(folder, measure), context));
  }
  return pages;
}

async function pageOf(replica: Workload, archive: string, context: PrepareContext): Promise<ReplayPage> {
  const workload = await replica.prepare(context);
  const exchanges = (await Promise.all(workload.roots.map(exchangesOf))).flat();
  const head = {
    urls: workload.roots.slice(0, 1).map(({ host }) => `https://${host}:${context.port}/`),
    recordedAt: new Date(0).toISOString(),
    recorder: 'h2h3 bench-harness',
    complete: true,
    removed: {},
  };
  await writeArchive(archive, head, exchanges);
  const origin = archiveOrigin(archive);
  return { workload, archiveRoots: workload.roots.map(({ host }) => ({ host, directory: archive, origin })) };
}

/** What the server answers for the files of one host: compressed where a file has a compressed one beside it. */
async function exchangesOf({ host, directory }: SiteRoot): Promise<Exchange[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.br'));
  return Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const compressed = await readIfThere(`${file}.br`);
      const headers: [string, string][] = [
        ['access-control-allow-origin', '*'],
        ['cache-control', 'public, max-age=3600'],
        ['content-type', contentTypes[extname(file).slice(1)] ?? 'application/octet-stream'],
        ['timing-allow-origin', '*'],
      ];
      if (compressed !== null) headers.push(['content-encoding', 'br']);
      return {
        entry: {
          ...{ method: 'GET', host, path: file.slice(directory.length), query: '', range: '', status: 200 },
          ...{ headers, startMs: 0, waitMs: 0 },
        },
        requestBody: null,
        body: compressed ?? (await readFile(file)),
      };
    }),
  );
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return null;
    throw thrown;
  }
}
