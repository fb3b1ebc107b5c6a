import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from './setup-context.ts';
import { temporaryFilesHere } from '../../src/core/system/temporary-folder.ts';

/** A program of the project's own, built once out of sources that lie next to a module. */
export interface ProgramSource {
  /** Of the folder in the tool cache, and of the program in it. */
  readonly name: string;
  /** Folder of the sources. */
  readonly sourceDir: string;
  /** What is needed to build it, on PATH. */
  readonly needs: readonly string[];
  /** How long it takes, for those who wait. */
  readonly patience: string;
  /** Puts the program, by its name, into the folder `target`. */
  build(target: string, context: SetupContext): Promise<void>;
}

const buildPatienceMs = 20 * 60_000;

/** The program where it was built before from these very sources; undefined where it was not. */
export async function findBuilt(source: ProgramSource, context: SetupContext): Promise<string | undefined> {
  const folder = await folderOf(source);
  if (!(await context.cache.isInstalled(folder))) return undefined;
  return path.join(context.cache.directoryOf(folder), programOf(source, context));
}

/**
 * The program, built where it is not there yet.
 * @throws H2h3Error `unsupported` without what builds it, or with its last lines when that fails.
 */
export async function ensureBuilt(source: ProgramSource, context: SetupContext): Promise<string> {
  const found = await findBuilt(source, context);
  if (found !== undefined) return found;
  const { name, patience, needs } = source;
  for (const program of needs)
    if ((await findOnPath(program, context)) === undefined)
      throw new H2h3Error('unsupported', `There is no ${name}: ${program} is not on PATH to build it`, {
        next: `Install ${program}, or use another client.`,
      });
  const directory = await context.cache.install(
    await folderOf(source),
    async (target) => {
      context.progress({ title: `Building ${name} (${patience}, once)` });
      await buildOr(source, target, context);
    },
    () => context.progress({ title: `Waiting until another run or arm has built ${name}` }),
  );
  return path.join(directory, programOf(source, context));
}

/** How a program that is built here is found and built. @param ofFile what is started, out of the file that was built */
export function fromBuilt<Program>(
  source: ProgramSource,
  ofFile: (file: string, context: SetupContext) => Promise<Program>,
): {
  readonly find: (context: SetupContext) => Promise<Program | undefined>;
  readonly ensure: (context: SetupContext) => Promise<Program>;
} {
  return {
    find: async (context) => {
      const file = await findBuilt(source, context);
      return file === undefined ? undefined : ofFile(file, context);
    },
    ensure: async (context) => ofFile(await ensureBuilt(source, context), context),
  };
}

async function buildOr(source: ProgramSource, target: string, context: SetupContext): Promise<void> {
  try {
    await source.build(target, context);
  } catch (cause) {
    if (context.signal.aborted || !(cause instanceof H2h3Error)) throw cause;
    throw new H2h3Error('unsupported', `${source.name} cannot be built here: ${cause.message}`, {
      context: cause.context,
      cause,
    });
  }
}

const programOf = ({ name }: ProgramSource, { platform }: SetupContext): string =>
  platform === 'win32' ? `${name}.exe` : name;

/** Carries a digest of the sources: a cache keeps what was built of others under another name. */
async function folderOf({ name, sourceDir }: ProgramSource): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(sourceDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(path.relative(sourceDir, file)).update(await readFile(file));
  return `${name}-${hash.digest('hex').slice(0, 12)}`;
}

/** Runs one step of building. @throws H2h3Error `process-failed` with its last lines */
export async function runBuildStep(
  [program = '', ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
  context: SetupContext,
): Promise<void> {
  const result = await context.run(program, words, {
    timeoutMs: buildPatienceMs,
    environment: { ...context.environment, ...temporaryFilesHere(), ...environment },
    signal: context.signal,
  });
  if (result.exitCode === 0) return;
  throw new H2h3Error('process-failed', `${path.basename(program)} ${words[0] ?? ''} failed`, {
    context: { stderrTail: tailOf(result.stderr) },
  });
}
