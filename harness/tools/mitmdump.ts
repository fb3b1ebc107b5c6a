import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from './setup-context.ts';
import { temporaryFilesHere } from '../../src/core/system/temporary-folder.ts';

/** The newest that Python 3.11 takes. */
const version = '11.0.2';
const installLimitMs = 10 * 60_000;
/** Every package that it consists of, by version and digest of each of its files. */
const requirementsFile = fileURLToPath(new URL('mitmproxy-requirements.txt', import.meta.url));
const buildRequirementsFile = fileURLToPath(new URL('mitmproxy-build-requirements.txt', import.meta.url));
/** Nothing else is installed. */
const pinned = ['--quiet', '--no-input', '--require-hashes', '--no-deps', '--only-binary=:all:'];
/** Of pyperclip there is no wheel: its pinned source is built, with the pinned tool that was installed before. */
const pyperclipFromSource = ['--no-binary=pyperclip', '--no-build-isolation'];
/** Started by the environment's interpreter: its scripts name the place in which it was made. */
const mainFile = fileURLToPath(new URL('mitmdump_main.py', import.meta.url));

/**
 * mitmdump from PATH, else out of a virtual environment of its own in the tool cache, made at first use.
 *
 * @returns program and first arguments
 * @throws H2h3Error `unsupported` without Python or when it cannot be installed.
 */
export async function ensureMitmdump(context: SetupContext): Promise<readonly string[]> {
  const found = await findOnPath('mitmdump', context);
  if (found !== undefined) return [found];
  const directory = await context.cache.install(toolName, (target) => install(target, context));
  return [interpreterOf(directory, context), mainFile];
}

const toolName = `mitmproxy-${version}`;

/** Where it is; undefined where the first recording would install it. Installs nothing. */
export async function findMitmdump(context: SetupContext): Promise<string | undefined> {
  const onPath = await findOnPath('mitmdump', context);
  if (onPath !== undefined) return onPath;
  return (await context.cache.isInstalled(toolName)) ? context.cache.directoryOf(toolName) : undefined;
}

/** Whether what it is installed with is there. */
export async function hasPython(context: SetupContext): Promise<boolean> {
  return (await findPython(context)) !== undefined;
}

async function findPython(context: SetupContext): Promise<string | undefined> {
  return (await findOnPath('python3', context)) ?? (await findOnPath('python', context));
}

function interpreterOf(directory: string, { platform }: SetupContext): string {
  return platform === 'win32'
    ? path.join(directory, 'Scripts', 'python.exe')
    : path.join(directory, 'bin', 'python');
}

async function install(directory: string, context: SetupContext): Promise<void> {
  const python = await findPython(context);
  if (python === undefined) throw notToBeHad('there is no python3 on PATH');
  context.progress({ title: `Installing mitmproxy ${version}` });
  const pip = [interpreterOf(directory, context), '-m', 'pip', 'install'];
  const steps: readonly (readonly string[])[] = [
    [python, '-m', 'venv', directory],
    [...pip, ...pinned, '-r', buildRequirementsFile],
    [...pip, ...pinned, ...pyperclipFromSource, '-r', requirementsFile],
  ];
  for (const [program = '', ...args] of steps) {
    const result = await context.run(program, args, {
      timeoutMs: installLimitMs,
      environment: { ...context.environment, ...temporaryFilesHere() },
      signal: context.signal,
    });
    if (result.exitCode !== 0) throw notToBeHad(tailOf(result.stderr, 3));
  }
}

function notToBeHad(got: string): H2h3Error {
  return new H2h3Error('unsupported', 'mitmproxy, which records sites, is not to be had', {
    context: { expected: `mitmdump on PATH, or Python 3 with venv and pip for mitmproxy ${version}`, got },
    next: 'Install mitmproxy (https://mitmproxy.org), or import a HAR with `npx h2h3 record --from-har FILE`.',
  });
}
