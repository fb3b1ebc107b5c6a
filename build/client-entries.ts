import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The entries of `reports/html/client` that pages name. */
export function clientEntries(projectDir: string): string[] {
  const sources = globSync('reports/html/**/*.ts', { cwd: projectDir }).map((file) =>
    readFileSync(join(projectDir, file), 'utf8'),
  );
  const named = sources.flatMap((text) => [...text.matchAll(/loadAssets\([^)]*?'([\w-]+\.ts)'/g)]);
  return [...new Set(named.map(([, entry]) => entry ?? ''))];
}
