import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../core/model/environment.ts';
import { h2h3Words, linkWords, type ProgramWords } from '../core/model/program-words.ts';
import { packageDirOf } from '../core/system/module-file.ts';

/** Folder of the checkout, or of the installed package. */
export function packageDir(): string {
  return packageDirOf(import.meta.url);
}

/** How the package is called that this is a part of. */
export function ownWords(): ProgramWords {
  const { name } = JSON.parse(readFileSync(join(packageDir(), 'package.json'), 'utf8')) as { name: string };
  return name === linkWords.name ? linkWords : h2h3Words;
}

export function ownVersion(projectDir: string): string {
  return (JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Folders that hold no part of what measures: what one finding or question renewed does not change the next one's revision. */
const written = [':(exclude)docs', ':(exclude)README.md', ':(exclude)reports/questions'];

/**
 * The commit, with `-dirty` where something that measures differs from it. Of a checkout only: what git says in an installed
 * package is of the project it was installed into.
 */
export function gitRevision(projectDir: string): string | null {
  if (!existsSync(join(projectDir, '.git'))) return null;
  const git = (...words: readonly string[]) => spawnSync('git', words, { cwd: projectDir, encoding: 'utf8' });
  const { status, stdout } = git('describe', '--always', '--abbrev=12');
  if (status !== 0) return null;
  const isClean = git('diff', '--quiet', 'HEAD', '--', '.', ...written).status === 0;
  return `${stdout.trim()}${isClean ? '' : '-dirty'}`;
}

/** `0.1.0 (1a2b3c4d5e6f)`: what hosts of one run have in common. */
export function versionWords(projectDir: string): string {
  return wordsOfVersion({ version: ownVersion(projectDir), gitRevision: gitRevision(projectDir) });
}

/** The same of one that is recorded. */
export function wordsOfVersion({ version, gitRevision }: Environment['h2h3']): string {
  return `${version} (${gitRevision ?? 'no revision known'})`;
}
