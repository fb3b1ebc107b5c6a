import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { installWords } from '../../src/core/model/program-words.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { ensureZig } from '../tools/zig.ts';

/** Programs in C that stand between the namespaces: the emulator, and what checks the path. */
export interface EmulatorPrograms {
  readonly emulator: string;
  readonly probe: string;
  /** Traffic of another client of the path. */
  readonly crossTraffic: string;
  /** Answers ports of this machine at the far end of a path. */
  readonly relay: string;
  readonly compiler: string;
}

export const emulatorSourceDir = fileURLToPath(new URL('./emulator/', import.meta.url));
/** First words of each compiler's command line; zig's needs no headers of the system. */
const compilers = [['cc'], ['gcc'], ['clang'], ['zig', 'cc'], ['tcc']] as const;
/** Debian's package of a compiler, and the headers that it does not bring: for kinds of machines for which none can be fetched. */
export const compilerPackages = 'gcc libc6-dev';
/** The files of each program. */
export const emulatorSources = {
  'path-emulator': [
    'path-emulator.c',
    'control.c',
    'forwarder.c',
    'direction.c',
    'link-queue.c',
    'aqm.c',
    'ip-packet.c',
    'flow-table.c',
    'packet-ring.c',
    'flight-log.c',
    'super-packet.c',
    'connection-start.c',
    'course-log.c',
    'path-model.c',
    'schedule.c',
  ],
  'path-probe': ['path-probe.c'],
  crosstraffic: ['crosstraffic.c'],
  'port-relay': ['port-relay.c', 'event-loop.c', 'port-handover.c', 'port-connections.c', 'port-datagrams.c'],
};
export const compilerFlags = ['-O2', '-std=gnu17', '-Wall', '-Wextra'] as const;
const compileTimeoutMs = 120_000;

/** What decides whether the programs are built anew. */
async function sourceNames(): Promise<string[]> {
  return (await readdir(emulatorSourceDir)).filter((name) => /\.[ch]$/.test(name)).toSorted();
}

/** Where a package holds the programs of every kind of machine, linked statically: in folders with the names of their source. */
const builtDir = path.join(emulatorSourceDir, 'built');

/** Name of the programs of this source for a kind of machine, as `process.arch`. */
export async function emulatorToolName(arch: string): Promise<string> {
  const hash = createHash('sha256').update(arch).update(compilerFlags.join(' '));
  for (const name of await sourceNames())
    hash.update(name).update(await readFile(path.join(emulatorSourceDir, name)));
  return `path-emulator-${hash.digest('hex').slice(0, 16)}`;
}

/** Command lines of every C compiler on PATH, the preferred first. */
export async function compilersOnPath(context: SetupContext): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  for (const [name, ...args] of compilers) {
    const file = await findOnPath(name, context);
    if (file !== undefined) found.push([file, ...args]);
  }
  return found;
}

/** Where the programs of this source are: they came with the package, were built here before, or are yet to be built. */
export async function emulatorProgramsState(
  context: SetupContext,
  packagedDir = builtDir,
): Promise<'packaged' | 'built' | 'absent'> {
  const name = await emulatorToolName(context.arch);
  if (existsSync(path.join(packagedDir, name))) return 'packaged';
  return (await context.cache.isInstalled(name)) ? 'built' : 'absent';
}

/**
 * Takes the programs that the package holds; else builds them when their source changed since the last time, with the first
 * compiler that can: one on PATH, or one that is fetched.
 *
 * @throws H2h3Error `unsupported` with the words of each compiler when none can,
 * `bad-input` where a program of the package is not as it was built
 */
export async function ensureEmulatorPrograms(
  context: SetupContext,
  packagedDir = builtDir,
): Promise<EmulatorPrograms> {
  const name = await emulatorToolName(context.arch);
  let compiler = 'built before';
  const directory = await context.cache.install(name, async (target) => {
    const built = path.join(packagedDir, name);
    if (existsSync(built)) {
      compiler = 'built with the package';
      return copyPrograms(built, target);
    }
    context.progress({ title: 'Building the path emulator (once)' });
    compiler = await buildWithAny(target, context);
  });
  return {
    emulator: path.join(directory, 'path-emulator'),
    probe: path.join(directory, 'path-probe'),
    crossTraffic: path.join(directory, 'crosstraffic'),
    relay: path.join(directory, 'port-relay'),
    compiler,
  };
}

/** Next to the programs of a package: their digests, as `sha256sum --check` takes them. */
export const digestsFile = 'SHA256SUMS';

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Writes the digests of programs that were built. */
export async function writeDigests(directory: string): Promise<void> {
  const lines: string[] = [];
  for (const program of Object.keys(emulatorSources))
    lines.push(`${digestOf(await readFile(path.join(directory, program)))}  ${program}\n`);
  await writeFile(path.join(directory, digestsFile), lines.join(''));
}

/** What unpacks a package may leave out who may run a file. */
async function copyPrograms(from: string, target: string): Promise<void> {
  const digests = (await readFile(path.join(from, digestsFile), 'utf8')).split('\n');
  for (const program of Object.keys(emulatorSources)) {
    const bytes = await readFile(path.join(from, program));
    const got = digestOf(bytes);
    if (!digests.includes(`${got}  ${program}`))
      throw new H2h3Error('bad-input', `the program ${program} of the package is not as it was built`, {
        context: { file: path.join(from, program), expected: `as in ${digestsFile}`, got: `sha256 ${got}` },
        next: 'Install the package again.',
      });
    const file = path.join(target, program);
    await writeFile(file, bytes);
    await chmod(file, 0o755);
  }
}

/** @returns the command line of the compiler that could */
async function buildWithAny(target: string, context: SetupContext): Promise<string> {
  const onPath = await compilersOnPath(context);
  const reasons = onPath.length === 0 ? ['there is no C compiler on PATH'] : [];
  const candidates = [
    ...onPath.map((compiler) => () => Promise.resolve(compiler)),
    async () => [await ensureZig(context), 'cc'],
  ];
  for (const candidate of candidates) {
    try {
      const compiler = await candidate();
      for (const [program, files] of Object.entries(emulatorSources))
        await compile({ context, compiler, files, target, program });
      return compiler.join(' ');
    } catch (error) {
      if (context.signal.aborted) throw error;
      reasons.push(messageOf(error));
    }
  }
  throw new H2h3Error('unsupported', `the path emulator cannot be built: ${reasons.join('; ')}`, {
    next: installWords(compilerPackages, context.program),
  });
}

interface CompileOptions {
  readonly context: SetupContext;
  readonly compiler: readonly string[];
  readonly files: readonly string[];
  readonly target: string;
  readonly program: string;
}

/** @throws H2h3Error `process-failed` with the last line of what the compiler said */
async function compile({ context, compiler, files, target, program }: CompileOptions): Promise<void> {
  const [command = '', ...first] = compiler;
  const inputs = files.map((file) => path.join(emulatorSourceDir, file));
  const result = await context.run(
    command,
    [...first, ...compilerFlags, '-o', path.join(target, program), ...inputs, '-lpthread', '-lm'],
    {
      timeoutMs: compileTimeoutMs,
      signal: context.signal,
      // What a killed compiler leaves then goes with the folder that was not finished.
      environment: { ...context.environment, TMPDIR: target },
    },
  );
  if (result.exitCode === 0) return;
  const said = result.stderr.split('\n').find((line) => /error/.test(line)) ?? tailOf(result.stderr, 1);
  throw new H2h3Error('process-failed', `${compiler.join(' ')} could not build ${program} (${said.trim()})`);
}
