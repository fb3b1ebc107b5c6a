import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { filesBelow } from '../../src/core/system/files-below.ts';
import { moduleFile, packageDirOf } from '../../src/core/system/module-file.ts';

/** What of h2h3 runs on another machine, and what that needs. */
export interface ProgramFiles {
  /** Folder from which the paths go on. */
  readonly root: string;
  readonly paths: readonly string[];
  /** SHA-256 over paths and contents. */
  readonly digest: string;
  /** Of the program that is started there, from `root`. */
  readonly agent: string;
}

const packageSchema = z.object({
  dependencies: z.record(z.string(), z.string()).optional(),
});

/** Packages that what is sent imports itself; a test holds them to what it does. The last three are of browsers. */
const neededPackages: readonly string[] = [
  '@peculiar/x509',
  'parse5',
  'tar',
  'zod',
  '@puppeteer/browsers',
  'chrome-har-capturer',
  'puppeteer-core',
];

/** What the far program is made of, and the programs that answer for apps, recorded sites, uploads and films. */
const ownFolders: readonly string[] = [
  'src/core',
  'harness',
  'sites/app',
  'sites/archive',
  'sites/replay',
  'sites/uploads',
  'video',
];

/** No program reads these: types, maps of sources, texts for people. */
const isLeftOut = (path: string): boolean => /\.(?:d\.[cm]?ts|map|md|markdown)$/i.test(path);

/** The package's own code as far as servers need it, and its dependencies for use. @throws H2h3Error `unsupported` */
export function programFiles(): ProgramFiles {
  const own = packageDirOf(import.meta.url);
  const root = outermostOf(own);
  const packages = foldersOf(neededPackages, own, root);
  const paths = [
    join(own, 'package.json'),
    ...sentFolders(own).flatMap(below),
    ...packages.flatMap((folder) => below(folder).filter((path) => !isNested(folder, path))),
  ]
    .map((path) => relative(root, path))
    .filter((path) => !isLeftOut(path))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0${digestOf(join(root, path))}\n`);
  const agent = relative(root, moduleFile('./far-agent.ts', import.meta.url));
  return { root, paths, digest: hash.digest('hex'), agent };
}

const sentFolders = (own: string): string[] =>
  ownFolders.map((folder) => join(own, import.meta.url.endsWith('.ts') ? '' : 'dist', folder));

/** The path from the root of what is sent to a program among it; undefined for one that stays. */
export function sentPathOf(file: string): string | undefined {
  const own = packageDirOf(import.meta.url);
  const isSent = sentFolders(own).some((folder) => file.startsWith(folder + sep));
  return isSent ? relative(outermostOf(own), file).split(sep).join('/') : undefined;
}

/** Such a program, where this one was sent. @throws H2h3Error `bad-input` for one that was not */
export function sentProgram(path: string): string {
  const file = join(outermostOf(packageDirOf(import.meta.url)), path);
  if (sentPathOf(file) === path && existsSync(file)) return file;
  throw new H2h3Error('bad-input', `${path} is no program that was sent`);
}

const below = (folder: string): string[] => filesBelow(folder).map((path) => join(folder, path));

/** Packages within a package are listed by themselves. */
const isNested = (folder: string, path: string): boolean =>
  relative(folder, path).split(sep).includes('node_modules');

/** The folder that holds this package and all that it depends on: where npm installed it, that above `node_modules`. */
function outermostOf(own: string): string {
  const at = own.lastIndexOf(`${sep}node_modules${sep}`);
  return at === -1 ? own : own.slice(0, at);
}

/** Folders of these packages and of all that they depend on, through any number of others. */
function foldersOf(names: readonly string[], own: string, root: string): string[] {
  const found = new Set<string>();
  const open = names.map((name) => ({ name, from: own }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, from } = next;
    const folder = packageFrom(from, name, root);
    if (folder === undefined)
      throw new H2h3Error(
        'unsupported',
        `the package ${name} cannot be sent to another machine: it is not installed`,
        { next: 'Run `npm ci` again, or install h2h3 by npm.' },
      );
    if (found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {} } = packageSchema.parse(
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    );
    open.push(...Object.keys(dependencies).map((each) => ({ name: each, from: folder })));
  }
  return [...found];
}

/** Where Node would find a package (https://nodejs.org/api/modules.html#loading-from-node_modules-folders), but not beyond `root`. */
function packageFrom(from: string, name: string, root: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

/** Thousands of small files: one after the other they take a fraction of a second. */
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
