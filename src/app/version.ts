import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function ownVersion(projectDir: string): string {
  return (JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }).version;
}
