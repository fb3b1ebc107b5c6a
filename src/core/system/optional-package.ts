import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirOf } from './module-file.ts';

/** The version of one of the optional `peerDependencies` that h2h3 is tested with: those may be ranges. */
export function testedVersion(name: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(packageDirOf(import.meta.url), 'package.json'), 'utf8')) as {
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  return manifest.devDependencies?.[name] ?? manifest.peerDependencies[name];
}

/**
 * The command that installs a package without which most works, at the version that h2h3 is tested with.
 *
 * @param name one of the optional `peerDependencies`
 */
export function installCommand(name: string): string {
  const version = testedVersion(name);
  return `npm install ${name}${version === undefined ? '' : `@${version}`}`;
}

/** Whether a package can be loaded; nothing of it is. */
export function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false; // not there, which is all that is asked
  }
}
