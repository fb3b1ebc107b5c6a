import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../core/model/environment.ts';
import { packageDirOf } from '../core/system/module-file.ts';

/** Folder of the checkout, or of the installed package. */
export function packageDir(): string {
  return packageDirOf(import.meta.url);
}

export function ownVersion(projectDir: string): string {
  return (JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Of a checkout only: what git says in an installed package is of the project it was installed into. */
export function gitRevision(projectDir: string): string | null {
  if (!existsSync(join(projectDir, '.git'))) return null;
  const result = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], {
    cwd: projectDir,
    encoding: 'utf8',
  });
  return result.status === 0 ? result.stdout.trim() : null;
}

/** `0.1.0 (1a2b3c4d5e6f)`: what hosts of one run have in common. */
export function versionWords(projectDir: string): string {
  return wordsOfVersion({ version: ownVersion(projectDir), gitRevision: gitRevision(projectDir) });
}

/** The same of one that is recorded. */
export function wordsOfVersion({ version, gitRevision }: Environment['h2h3']): string {
  return `${version} (${gitRevision ?? 'no revision known'})`;
}
