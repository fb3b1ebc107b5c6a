import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReplaySite } from '../../../harness/bench/replay-speed.ts';
import { archiveOrigin } from '../../../sites/index.ts';
import { writeBenchArchive } from './replay-bench-archive.ts';

const objectCount = 200;
const objectBytes = 2000;
const fileHost = 'files.h2h3.test';
const archiveHost = 'archive.h2h3.test';

/** Writes the same small objects as files and as an archive below `folder`. */
export async function writeReplaySite(folder: string, signal: AbortSignal): Promise<ReplaySite> {
  const names = Array.from({ length: objectCount }, (_, index) => `object-${index}.txt`);
  const content = (name: string): Buffer => Buffer.alloc(objectBytes, name);
  const fileFolder = join(folder, 'files');
  await mkdir(fileFolder, { recursive: true });
  for (const name of names) await writeFile(join(fileFolder, name), content(name));
  signal.throwIfAborted();
  const archive = join(folder, 'archive');
  await writeBenchArchive(
    archive,
    names.map((name) => ({
      host: archiveHost,
      path: `/${name}`,
      headers: [['content-type', 'text/plain']],
      body: content(name),
    })),
  );
  return {
    roots: [
      { host: fileHost, directory: fileFolder },
      { host: archiveHost, directory: archive, origin: archiveOrigin(archive) },
    ],
    fileHost,
    archiveHost,
    paths: names.map((name) => `/${name}`),
  };
}
