import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirOf } from '../system/module-file.ts';

/** Folder of the checkout, or of the installed package. */
export function packageDir(): string {
  return packageDirOf(import.meta.url);
}

export function ownVersion(projectDir: string): string {
  return (JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }).version;
}
