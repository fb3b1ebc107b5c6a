import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ReplayPage } from '../../../harness/bench/replay-page.ts';
import { contentTypes } from '../../../harness/servers/content-types.ts';
import { archiveOrigin, replicaWorkloads } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { PrepareContext, SiteRoot, Workload } from '../../core/model/workload.ts';
import { writeBenchArchive, type BenchAnswer } from './replay-bench-archive.ts';

/**
 * Chromium keeps 256 connections over TCP at most. On a page of more hosts the order in which it closes some for others
 * changes the load time by half, which hides everything else.
 */
const maxHosts = 256;

/** The replicas of the most bytes and of the most objects, each with an archive below `folder` that gives the same answers. */
export async function writeReplayPages(folder: string, context: PrepareContext): Promise<ReplayPage[]> {
  const candidates = replicaWorkloads().filter(({ facts }) => (facts.hostCount ?? 0) <= maxHosts);
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
  const answers = (await Promise.all(workload.roots.map(answersOf))).flat();
  await writeBenchArchive(archive, answers);
  const origin = archiveOrigin(archive);
  return { workload, archiveRoots: workload.roots.map(({ host }) => ({ host, directory: archive, origin })) };
}

/** What the server answers for the files of one host: compressed where a file has a compressed one next to it. */
async function answersOf({ host, directory }: SiteRoot): Promise<BenchAnswer[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  return Promise.all(
    [...files]
      .filter((file) => !file.endsWith('.br'))
      .map(async (file) => {
        const isCompressed = files.has(`${file}.br`);
        const headers: [string, string][] = [
          ['access-control-allow-origin', '*'],
          ['cache-control', 'public, max-age=3600'],
          ['content-type', contentTypes[extname(file).slice(1)] ?? 'application/octet-stream'],
          ['timing-allow-origin', '*'],
        ];
        if (isCompressed) headers.push(['content-encoding', 'br']);
        const body = await readFile(isCompressed ? `${file}.br` : file);
        return { host, path: file.slice(directory.length), headers, body };
      }),
  );
}
