import { chmod, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runBuildStep, type ProgramSource } from './built-program.ts';

/** A program that is a Python with packages of its own. */
export interface PythonProgram {
  readonly name: string;
  /** Folder with `requirements.txt`, which has the digest of every package, and the script. */
  readonly sourceDir: string;
  /** What it runs; absent: the script that it is called with. */
  readonly script?: string;
}

/** Nothing is installed but files of the pinned digests, and nothing of others is run to build them. */
const pinned = ['--quiet', '--no-input', '--require-hashes', '--no-deps', '--only-binary=:all:'];

/** A virtual environment that was moved has scripts that name its old place; its interpreter works anywhere. */
const launcherOf = (script: string | undefined): string =>
  `#!/bin/sh\nhere=\${0%/*}\nexec "$here/venv/bin/python" -I ${script === undefined ? '' : `"$here/${script}" `}"$@"\n`;

/** Builds a program of Python in a virtual environment, with the packages that its requirements pin. */
export function pythonProgram({ name, sourceDir, script }: PythonProgram): ProgramSource {
  return {
    name,
    sourceDir,
    needs: ['python3'],
    patience: 'half a minute',
    build: async (target, context) => {
      const environment = path.join(target, 'venv');
      const requirements = path.join(sourceDir, 'requirements.txt');
      await runBuildStep(['python3', '-m', 'venv', environment], {}, context);
      const interpreter = path.join(environment, 'bin', 'python');
      await runBuildStep([interpreter, '-m', 'pip', 'install', ...pinned, '-r', requirements], {}, context);
      if (script !== undefined) await copyFile(path.join(sourceDir, script), path.join(target, script));
      await writeFile(path.join(target, name), launcherOf(script));
      await chmod(path.join(target, name), 0o755);
    },
  };
}
