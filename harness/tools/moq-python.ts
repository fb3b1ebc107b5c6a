import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, runBuildStep, type ProgramSource } from './built-program.ts';
import type { SetupContext } from './setup-context.ts';

const sourceDir = fileURLToPath(new URL('moq-python/', import.meta.url));
const program = 'moq-python';
/** Nothing is installed but files of the pinned digests, and nothing of others is run to build them. */
const pinned = ['--quiet', '--no-input', '--require-hashes', '--no-deps', '--only-binary=:all:'];
/** A virtual environment that was moved has scripts that name its old place; its interpreter works anywhere. */
const launcher = '#!/bin/sh\nhere=${0%/*}\nexec "$here/venv/bin/python" -I "$@"\n';

const source: ProgramSource = {
  name: program,
  sourceDir,
  needs: ['python3'],
  patience: 'half a minute',
  build: async (target, context) => {
    const environment = path.join(target, 'venv');
    await runBuildStep(['python3', '-m', 'venv', environment], {}, context);
    const interpreter = path.join(environment, 'bin', 'python');
    const requirements = path.join(sourceDir, 'requirements.txt');
    await runBuildStep([interpreter, '-m', 'pip', 'install', ...pinned, '-r', requirements], {}, context);
    await writeFile(path.join(target, program), launcher);
    await chmod(path.join(target, program), 0o755);
  },
};

/**
 * A Python that has the wheels of Media over QUIC, in the tool cache; made where it is not there yet.
 *
 * @returns a program that takes a script and its arguments
 * @throws H2h3Error `unsupported` without Python, or where the wheels cannot be had
 */
export const ensureMoqPython = (context: SetupContext): Promise<string> => ensureBuilt(source, context);
