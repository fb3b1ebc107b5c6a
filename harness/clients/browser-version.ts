import { readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SetupContext } from '../tools/setup-context.ts';

/** A browser under load may take seconds to say its version; longer than this it is asked at its first launch. */
const timeoutMs = 15_000;

type VersionContext = Pick<SetupContext, 'platform' | 'run' | 'environment'>;

/** What `--version` prints; empty when it prints nothing or does not start. */
export async function printedVersion(file: string, context: VersionContext): Promise<string> {
  try {
    const result = await context.run(file, ['--version'], {
      timeoutMs,
      environment: context.environment,
    });
    return result.stdout.trim();
  } catch {
    // Not knowing the version is allowed: the browser itself tells it once it has been launched.
    return '';
  }
}

/**
 * Version of an installed browser, as cheaply as can be; empty when only a launch can tell.
 * The headless shell is not asked (its `--version` never returns), nor are browsers on Windows (it opens a window).
 */
export async function readBrowserVersion(
  file: string,
  family: string,
  context: VersionContext,
): Promise<string> {
  if (isHeadlessShell(file)) return '';
  if (family === 'firefox') {
    const version = await firefoxVersion(file);
    if (version !== '') return version;
  }
  if (context.platform === 'win32') return family === 'chromium' ? versionFolder(path.dirname(file)) : '';
  return /\d+(?:\.\d+)+\S*/.exec(await printedVersion(file, context))?.[0] ?? '';
}

/** Chromium's headless shell by its file name: `headless_shell`, `chrome-headless-shell`, `chromium-headless-shell`. */
export function isHeadlessShell(file: string): boolean {
  return /headless[-_]shell/i.test(path.basename(file));
}

/** Firefox writes its version into a file next to its program (on macOS in the bundle's Resources). */
async function firefoxVersion(file: string): Promise<string> {
  const directory = path.dirname(await realpath(file));
  for (const candidate of [directory, path.join(directory, '..', 'Resources')]) {
    const text = await readFile(path.join(candidate, 'application.ini'), 'utf8').catch(() => '');
    const version = /^\[App\][^[]*?^Version=(\S+)/ms.exec(text)?.[1];
    if (version !== undefined) return version;
  }
  return '';
}

/** Chromium browsers on Windows keep their files in a folder that is called as their version. */
async function versionFolder(directory: string): Promise<string> {
  const names = await readdir(directory).catch(() => []);
  const versions = names.filter((name) => /^\d+\.\d+\.\d+\.\d+$/.test(name));
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? '';
}
