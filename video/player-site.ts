import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrno } from '../src/core/model/errors.ts';
import type { PrepareContext } from '../src/core/model/workload.ts';
import { contentKey, makeAtomically, videoFolders } from './encoder/content-cache.ts';
import { packageDirOf, pageModule } from '../src/core/system/module-file.ts';

export const playerHost = 'player.h2h3.test';
export const mediaHost = 'media.h2h3.test';
/** Another program answers for it than for the files, so it cannot share their name: a run may have both. */
export const broadcastHost = 'live.h2h3.test';
/** A relay of MoQ answers for it, next to what answers for the broadcast. */
export const relayHost = 'moq.h2h3.test';
export const playerPage = '/page/index.html';

/** Folders of `video/` whose modules run in the page, and the packaged player. */
const moduleFolders = ['page', join('page', 'players'), 'abr'];
const dashScript = 'dash.mediaplayer.min.js';

/** The folder to serve as `playerHost`: page, modules with their types stripped, dash.js and the players that were named. @throws H2h3Error */
export async function preparePlayerSite(context: PrepareContext): Promise<string> {
  const files = new Map<string, string>();
  for (const folder of moduleFolders) await addFolder(files, folder);
  // A browser takes an address above the root for one below it, so that the module's own import finds it here.
  files.set('src/core/model/cmcd.js', pageModule('../src/core/model/cmcd.ts', import.meta.url));
  files.set('dash.js', await readDash());
  for (const { exact, file } of context.players ?? [])
    files.set(join('players', `${exact}.js`), await readFile(file, 'utf8'));
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
    const module = /^(.*)(?<!\.d)\.[jt]s$/.exec(name)?.[1];
    if (module !== undefined)
      files.set(join(folder, `${module}.js`), pageModule(`./${folder}/${module}.ts`, import.meta.url));
    else if (name.endsWith('.html'))
      files.set(join(folder, name), await readFile(join(source, name), 'utf8'));
  }
}

/** The packaged player: its one built file lies next to this module in the package, in dash.js' own in a checkout. */
async function readDash(): Promise<string> {
  const file = import.meta.url.endsWith('.js')
    ? join(import.meta.dirname, dashScript)
    : join(packageDirOf(import.meta.resolve('dashjs')), 'dist', 'modern', 'umd', dashScript);
  return readFile(file, 'utf8');
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
