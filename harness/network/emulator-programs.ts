import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../../src/model/errors.ts';
import { findOnPath } from '../../src/system/find-executable.ts';
import { tailOf } from '../../src/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';

/** Programs in C that stand between the namespaces: the emulator, and what checks the path. */
export interface EmulatorPrograms {
  readonly emulator: string;
  readonly probe: string;
  readonly compiler: string;
}

const sourceDir = fileURLToPath(new URL('./emulator/', import.meta.url));
const sources = [
  'path-model.h',
  'path-model.c',
  'connection-start.h',
  'connection-start.c',
  'forwarder.h',
  'forwarder.c',
  'path-emulator.c',
  'path-probe.c',
] as const;
const compilers = ['cc', 'gcc', 'clang'] as const;
const flags = ['-O2', '-std=gnu17', '-Wall', '-Wextra'] as const;
const compilePatienceMs = 120_000;

async function toolName(context: SetupContext): Promise<string> {
  const hash = createHash('sha256').update(context.arch).update(flags.join(' '));
  for (const name of sources) hash.update(name).update(await readFile(path.join(sourceDir, name)));
  return `path-emulator-${hash.digest('hex').slice(0, 16)}`;
}

/** @throws H2h3Error `unsupported` where there is none. */
export async function findCompiler(context: SetupContext): Promise<string> {
  for (const name of compilers) {
    const found = await findOnPath(name, context);
    if (found !== undefined) return found;
  }
  throw new H2h3Error('unsupported', 'there is no C compiler, which the path emulator is built with', {
    context: { expected: compilers.join(' or '), got: 'none on PATH' },
    next: 'Install one: sudo apt-get install gcc libc6-dev, or h2h3 setup --system.',
  });
}

/**
 * Builds both programs when their source changed since the last time.
 *
 * @throws H2h3Error `unsupported` without a C compiler, `process-failed` with its words when it fails.
 */
export async function ensureEmulatorPrograms(context: SetupContext): Promise<EmulatorPrograms> {
  const name = await toolName(context);
  let compiler = 'built before';
  const directory = await context.cache.install(name, async (target) => {
    compiler = await findCompiler(context);
    context.progress({ title: 'Building the path emulator (once)' });
    await compile(
      context,
      compiler,
      ['path-emulator.c', 'forwarder.c', 'connection-start.c', 'path-model.c'],
      target,
      'path-emulator',
    );
    await compile(context, compiler, ['path-probe.c'], target, 'path-probe');
  });
  return {
    emulator: path.join(directory, 'path-emulator'),
    probe: path.join(directory, 'path-probe'),
    compiler,
  };
}

async function compile(
  context: SetupContext,
  compiler: string,
  files: readonly string[],
  target: string,
  program: string,
): Promise<void> {
  const inputs = files.map((file) => path.join(sourceDir, file));
  const result = await context.run(
    compiler,
    [...flags, '-o', path.join(target, program), ...inputs, '-lpthread'],
    { timeoutMs: compilePatienceMs, signal: context.signal },
  );
  if (result.exitCode === 0) return;
  throw new H2h3Error('process-failed', `${compiler} could not build ${program}`, {
    context: { stderrTail: tailOf(result.stderr) },
    next: 'The headers of Linux and the C library are needed: sudo apt-get install gcc libc6-dev linux-libc-dev.',
  });
}
