import { copyFile, mkdir, readdir, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf, type ProgramResult } from '../../src/core/system/run-program.ts';
import type { SetupContext } from './setup-context.ts';

/** Programs of another release of Debian, unpacked with everything they need into a folder of the tool cache. */
export interface DebianTreeSpec {
  /** Name of the folder, such as `nginx`. */
  readonly name: string;
  /** Release that has them, such as `trixie` (Debian 13). */
  readonly suite: string;
  /** Names, or names with the version that is wanted (`nginx=1.30.6-2`). */
  readonly packages: readonly string[];
  /** Suites that it is taken out of, where that takes more than the one, such as those of backports. */
  readonly from?: readonly string[];
  /** Files below the folder that are to be started, such as `usr/sbin/nginx`. */
  readonly programs: readonly string[];
  /** Folders of libraries besides the usual one and below it, such as `libproxy`. */
  readonly libraryFolders?: readonly string[];
  /** A library of the usual folder that launchers load before all others. */
  readonly preload?: string;
  /** Roughly what is fetched, for those who wait. */
  readonly downloadMegabytes: number;
}

export interface DebianTree {
  readonly directory: string;
  /** File below the folder, such as `usr/lib/nginx/modules/x.so`. */
  readonly file: (name: string) => string;
  /** Words that start a program below the folder with the folder's own C library and nothing of the machine's. */
  readonly command: (program: string) => readonly string[];
  /** One file that does the same, for those who can name but one. */
  readonly launcher: (program: string) => string;
}

const multiarch: Readonly<Record<string, { readonly folder: string; readonly loader: string }>> = {
  x64: { folder: 'x86_64-linux-gnu', loader: 'usr/lib64/ld-linux-x86-64.so.2' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'usr/lib/ld-linux-aarch64.so.1' },
};

const timeoutMs = 10 * 60_000;
const unpackTimeoutMs = 60_000;

/** Raise it when what a folder holds changes: caches keep what was unpacked under this name. */
const layout = 2;

const treeName = ({ name, suite }: DebianTreeSpec): string => `debian-${suite}-${name}-${layout}`;

function treeAt(directory: string, arch: string): DebianTree {
  const { folder = '' } = multiarch[arch] ?? {};
  const file = (name: string): string => path.join(directory, name);
  const libraries = [file(`usr/lib/${folder}`), file('usr/lib')].join(':');
  return {
    directory,
    file,
    launcher: (program) => file(launcherOf(program)),
    command: (program) => [file(linkOf(program)), '--library-path', libraries, file(program)],
  };
}

/** The loader under the program's name, so that lists of processes show that. */
const linkOf = (program: string): string => path.join('programs', path.basename(program));

const launcherOf = (program: string): string => path.join('launchers', path.basename(program));

/** Finds the folder by its own place: the tool cache names it only when it is whole. */
function launcherScript(
  program: string,
  { libraryFolders = [], preload }: DebianTreeSpec,
  arch: string,
): string {
  const { folder = '' } = multiarch[arch] ?? {};
  const below = (name: string): string => `"$here/${name}"`;
  const usual = `usr/lib/${folder}`;
  const folders = [usual, ...libraryFolders.map((name) => `${usual}/${name}`), 'usr/lib'];
  const libraries = `"${folders.map((name) => `$here/${name}`).join(':')}"`;
  const first = preload === undefined ? '' : ` --preload ${below(`${usual}/${preload}`)}`;
  return [
    '#!/bin/sh',
    'here=${0%/*}/..',
    `exec ${below(linkOf(program))} --library-path ${libraries}${first} ${below(program)} "$@"`,
    '',
  ].join('\n');
}

/** The tree if it was made before; starts nothing. */
export async function findDebianTree(
  spec: DebianTreeSpec,
  context: SetupContext,
): Promise<DebianTree | undefined> {
  const name = treeName(spec);
  return (await context.cache.isInstalled(name))
    ? treeAt(context.cache.directoryOf(name), context.arch)
    : undefined;
}

/** Why this machine can have no such tree; undefined when it can. */
export async function debianTreeLack(context: SetupContext): Promise<string | undefined> {
  if (context.platform !== 'linux') return `Debian's programs run on Linux; this is ${context.platform}`;
  if (multiarch[context.arch] === undefined) return `not prepared for processors of the kind ${context.arch}`;
  for (const program of ['apt-get', 'dpkg-deb'])
    if ((await findOnPath(program, context)) === undefined) return `there is no ${program} here`;
  return undefined;
}

/**
 * Fetches the packages and all they depend on from the Debian mirror that this system uses, checked against Debian's
 * keys by apt itself, and unpacks them. It needs no root and changes nothing outside the tool cache: apt is given an
 * empty system of its own to install into.
 *
 * @throws H2h3Error `unsupported` where there is no apt or no Debian mirror, `process-failed` with apt's last lines.
 */
export async function ensureDebianTree(spec: DebianTreeSpec, context: SetupContext): Promise<DebianTree> {
  const reason = await debianTreeLack(context);
  if (reason !== undefined)
    throw new H2h3Error('unsupported', `${spec.name} of Debian ${spec.suite} cannot be had: ${reason}`);
  const title = `Fetching ${spec.name} of Debian ${spec.suite} (about ${spec.downloadMegabytes} MB, once)`;
  const directory = await context.cache.install(
    treeName(spec),
    async (target) => {
      context.progress({ title });
      await fillDebianTree(spec, target, context);
    },
    () => context.progress({ title: `Waiting until another run or arm has fetched ${spec.name}` }),
  );
  return treeAt(directory, context.arch);
}

/** The tree in a folder that was filled before. */
export const debianTreeIn = (directory: string, { arch }: Pick<SetupContext, 'arch'>): DebianTree =>
  treeAt(directory, arch);

/** How a program that is started out of a tree is found, fetched, and taken from the folder of one of its versions. */
export interface FromDebianTree<Program> {
  readonly find: (context: SetupContext) => Promise<Program | undefined>;
  readonly ensure: (context: SetupContext) => Promise<Program>;
  readonly programIn: (directory: string, context: SetupContext) => Promise<Program>;
}

/** @param ofTree what is started, out of a tree that is there */
export function fromDebianTree<Program>(
  spec: DebianTreeSpec,
  ofTree: (tree: DebianTree, context: SetupContext) => Program | Promise<Program>,
): FromDebianTree<Program> {
  return {
    find: async (context) => {
      const tree = await findDebianTree(spec, context);
      return tree === undefined ? undefined : ofTree(tree, context);
    },
    ensure: async (context) => ofTree(await ensureDebianTree(spec, context), context),
    programIn: async (directory, context) => ofTree(debianTreeIn(directory, context), context),
  };
}

/** That a program out of a tree does not say its version. */
export function doesNotStart(name: string, { directory }: DebianTree, said = ''): H2h3Error {
  return new H2h3Error('process-failed', `the ${name} that was fetched does not start`, {
    context: { file: directory, ...(said === '' ? {} : { got: said.slice(0, 200) }) },
    next: 'Remove this folder and run npx h2h3 setup --system again.',
  });
}

/**
 * Fetches and unpacks a tree into an empty folder.
 *
 * @param checkArchive sees each package's archive before it is unpacked
 * @throws H2h3Error as `ensureDebianTree`
 */
export async function fillDebianTree(
  spec: DebianTreeSpec,
  target: string,
  context: SetupContext,
  checkArchive: (file: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const root = path.join(target, 'apt');
  const { apt } = await emptyDebianSystem(root, spec.from ?? [spec.suite], context);
  await apt('apt-get', ['update']);
  // Without a target apt takes nothing of a suite of backports.
  await apt('apt-get', [
    'install',
    '--yes',
    '--download-only',
    '--target-release',
    spec.suite,
    ...spec.packages,
  ]);
  const archives = path.join(root, 'var/cache/apt/archives');
  for (const name of (await readdir(archives)).filter((entry) => entry.endsWith('.deb'))) {
    await checkArchive(path.join(archives, name));
    const words = ['-x', path.join(archives, name), target];
    requireSuccess('dpkg-deb', await context.run('dpkg-deb', words, { timeoutMs: unpackTimeoutMs }));
  }
  await rm(root, { recursive: true });
  await mkdir(path.join(target, 'programs'));
  const { loader = '' } = multiarch[context.arch] ?? {};
  await mkdir(path.join(target, 'launchers'));
  for (const program of spec.programs) {
    await symlink(path.join('..', loader), path.join(target, linkOf(program)));
    const script = launcherScript(program, spec, context.arch);
    await writeFile(path.join(target, launcherOf(program)), script, { mode: 0o755 });
  }
}

/** Releases that go on changing: a mirror that keeps one as it was has a list that has expired. */
const rolling: readonly string[] = ['sid', 'forky', 'trixie-backports'];

export interface EmptyDebianSystem {
  /** Runs a program of apt in it. @returns its standard output @throws H2h3Error `process-failed` with its last lines */
  readonly apt: (program: 'apt-get' | 'apt-cache', words: readonly string[]) => Promise<string>;
}

/** A folder that apt takes for a system on which nothing is installed, with these suites as its sources. */
export async function emptyDebianSystem(
  root: string,
  suites: readonly string[],
  context: SetupContext,
): Promise<EmptyDebianSystem> {
  await requireSpace(path.dirname(root), suites.length);
  const mirror = await debianMirror(context);
  for (const folder of ['etc/apt/apt.conf.d', 'etc/apt/preferences.d', 'etc/apt/trusted.gpg.d'])
    await mkdir(path.join(root, folder), { recursive: true });
  for (const folder of ['var/lib/apt/lists/partial', 'var/cache/apt/archives/partial', 'var/lib/dpkg'])
    await mkdir(path.join(root, folder), { recursive: true });
  await copyKeys(path.join(root, 'etc/apt/trusted.gpg.d'));
  await writeFile(path.join(root, 'var/lib/dpkg/status'), '');
  const sources = suites.map((suite) => `deb ${mirror} ${suite} main\n`).join('');
  await writeFile(path.join(root, 'etc/apt/sources.list'), sources);
  const aptConfiguration = path.join(root, 'apt.conf');
  await writeFile(
    aptConfiguration,
    [
      `Dir "${root}";`,
      `Dir::State::status "${path.join(root, 'var/lib/dpkg/status')}";`,
      'APT::Install-Recommends "false";',
      'Acquire::Languages "none";',
      ...(suites.some((suite) => rolling.includes(suite)) ? ['Acquire::Check-Valid-Until "false";'] : []),
      // Without root apt cannot become its own user; with root that user could not read this folder.
      'APT::Sandbox::User "";',
    ].join('\n'),
  );
  const environment = {
    ...context.environment,
    APT_CONFIG: aptConfiguration,
    DEBIAN_FRONTEND: 'noninteractive',
  };
  return {
    apt: async (program, words) => {
      const options = { timeoutMs, environment, signal: context.signal };
      const result = await context.run(program, ['--quiet', ...words], options);
      requireSuccess(program, result);
      return result.stdout;
    },
  };
}

/** Lists, archives and what is unpacked of them, by the number of suites. */
const neededBytes = (suiteCount: number): number => 200e6 + suiteCount * 100e6;

/** On a full disk apt waits for minutes and says nothing. @throws H2h3Error `storage` */
async function requireSpace(folder: string, suiteCount: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= neededBytes(suiteCount)) return;
  throw new H2h3Error('storage', 'There is no room for packages of Debian', {
    context: {
      file: folder,
      expected: `${neededBytes(suiteCount) / 1e6} MB free`,
      got: `${Math.floor(free / 1e6)} MB`,
    },
    next: 'Free some space, or remove versions (`npx h2h3 servers list`).',
  });
}

/** Debian's own keys, which every Debian from 12 on has of the next release too. */
async function copyKeys(target: string): Promise<void> {
  const source = '/usr/share/keyrings';
  for (const name of await readdir(source))
    if (/^debian-archive-.*\.(?:gpg|asc|pgp)$/.test(name) && !name.includes('removed'))
      await copyFile(path.join(source, name), path.join(target, name.replace(/\.pgp$/, '.gpg')));
}

/** The mirror that the system's own sources name. */
async function debianMirror(context: SetupContext): Promise<string> {
  const format = '$(ORIGIN) $(REPO_URI)';
  const words = ['indextargets', '--format', format, 'Created-By: Packages'];
  const { stdout } = await context.run('apt-get', words, { timeoutMs: unpackTimeoutMs });
  const lines = stdout.split('\n').filter((line) => line.startsWith('Debian '));
  const mirror = lines.map((line) => line.split(' ')[1] ?? '').find((uri) => /\/debian\/?$/.test(uri));
  if (mirror !== undefined) return mirror;
  throw new H2h3Error('unsupported', "apt's sources name no mirror of Debian", {
    context: { got: stdout.trim() || 'no sources' },
    next: 'Run apt-get update first; on other systems install the program by your own means.',
  });
}

function requireSuccess(program: string, result: ProgramResult): void {
  if (result.exitCode === 0) return;
  throw new H2h3Error('process-failed', `${program} failed with exit code ${result.exitCode ?? 'none'}`, {
    context: { stderrTail: tailOf(result.stderr) },
  });
}
