import { chmod, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBuildStep, type ProgramSource } from '../../tools/built-program.ts';
import { ownClient } from './own-client.ts';

const sourceDir = fileURLToPath(new URL('aioquic/', import.meta.url));
const program = 'aioquic-client';
/** Nothing is installed but files of the pinned digests, and nothing of others is run to build them. */
const pinned = ['--quiet', '--no-input', '--require-hashes', '--no-deps', '--only-binary=:all:'];
/** A virtual environment that was moved has scripts that name its old place; its interpreter works anywhere. */
const launcher = '#!/bin/sh\nhere=${0%/*}\nexec "$here/venv/bin/python" -I "$here/aioquic_client.py" "$@"\n';

const source: ProgramSource = {
  name: program,
  sourceDir,
  needs: ['python3'],
  patience: 'half a minute',
  build: async (target, context) => {
    const environment = path.join(target, 'venv');
    const requirements = path.join(sourceDir, 'requirements.txt');
    await runBuildStep(['python3', '-m', 'venv', environment], {}, context);
    const interpreter = path.join(environment, 'bin', 'python');
    await runBuildStep([interpreter, '-m', 'pip', 'install', ...pinned, '-r', requirements], {}, context);
    await copyFile(path.join(sourceDir, 'aioquic_client.py'), path.join(target, 'aioquic_client.py'));
    await writeFile(path.join(target, program), launcher);
    await chmod(path.join(target, program), 0o755);
  },
};

export const aioquic = ownClient({
  id: 'aioquic',
  title: 'aioquic',
  installHint: 'npx h2h3 setup --system (installed with Python 3.11 or newer)',
  source,
});
