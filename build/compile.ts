import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Compiles TypeScript as a configuration of this folder says. @throws Error where it does not */
export function compile(configuration: string): void {
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve('typescript-7/package.json')), 'bin', 'tsc');
  const words = [compiler, '-p', join(import.meta.dirname, configuration)];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${configuration} does not compile`);
}
