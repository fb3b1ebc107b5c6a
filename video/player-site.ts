import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { H2h3Error, hasErrno } from '../src/model/errors.ts';
import type { PrepareContext } from '../src/model/workload.ts';
import { contentKey, makeAtomically, videoFolders } from './encoder/content-cache.ts';

export const playerHost = 'player.h2h3.test';
export const mediaHost = 'media.h2h3.test';
/** Another program answers for it than for the files, so it cannot share their name: a run may have both. */
export const liveHost = 'live.h2h3.test';
export const playerPage = '/page/index.html';

/** Folders of `video/` whose modules run in the page, and the packaged player. */
const moduleFolders = ['page', 'abr'];
const dashScript = join('node_modules', 'dashjs', 'dist', 'modern', 'umd', 'dash.mediaplayer.min.js');

/** The folder to serve as `playerHost`: page, modules with their types stripped, dash.js. @throws H2h3Error */
export async function preparePlayerSite(context: PrepareContext): Promise<string> {
  const files = new Map<string, string>();
  for (const folder of moduleFolders) await addFolder(files, folder);
  files.set('dash.js', await readDash(join(context.projectDir, dashScript)));
  const folders = videoFolders(context.cacheDir);
  const directory = join(folders.player, contentKey([...files]));
  if (await exists(directory)) return directory;
  await makeAtomically(folders, directory, async (partial) => {
    for (const [name, content] of files) {
      await mkdir(dirname(join(partial, name)), { recursive: true });
      await writeFile(join(partial, name), content);
    }
  });
  return directory;
}

async function addFolder(files: Map<string, string>, folder: string): Promise<void> {
  const source = join(import.meta.dirname, folder);
  for (const name of (await readdir(source)).sort()) {
    const text = await readFile(join(source, name), 'utf8');
    if (name.endsWith('.ts')) files.set(join(folder, name.replace(/\.ts$/, '.js')), browserModule(text));
    else files.set(join(folder, name), text);
  }
}

/** A TypeScript module as a browser takes it: types gone, specifiers naming the served files. */
export function browserModule(source: string): string {
  return stripTypeScriptTypes(source).replace(/(\bfrom\s+')(\.{1,2}\/[^']+)\.ts(?=')/g, '$1$2.js');
}

async function readDash(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((thrown: unknown) => {
    throw new H2h3Error('unsupported', 'dash.js is not installed', {
      context: { file },
      next: 'npm ci',
      cause: thrown,
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (thrown: unknown) => {
      if (hasErrno(thrown, 'ENOENT')) return false;
      throw thrown;
    },
  );
}
