import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { storageError } from '../../src/core/system/storage-error.ts';
import type { LeftFile } from './client-calls.ts';
import { partBytes } from './far-files.ts';

/** More than any trial leaves: net logs and films take hundreds of megabytes. */
const maxTrialBytes = 4_000_000_000;
/** So many files are under way at once: most are small, and each is waited for. */
const atOnce = 8;

/** The bytes of a file from an offset on. @throws H2h3Error as `FarHost.ask` */
export type AskPart = (path: string, offsetBytes: number) => Promise<Buffer>;

/**
 * Brings what a trial left on another machine into its folder here. The paths were judged by their schema: they stay below it.
 *
 * @throws H2h3Error `bad-input` for files that cannot be such a folder's, `storage` where there is no room
 */
export async function bringFiles(
  folder: string,
  files: readonly LeftFile[],
  host: string,
  ask: AskPart,
): Promise<void> {
  requireFolder(files, host);
  for (let first = 0; first < files.length; first += atOnce)
    await Promise.all(files.slice(first, first + atOnce).map((file) => bring(folder, file, host, ask)));
}

/** No file is named twice, none is a folder of another, and all together are of a size that a trial can have. */
function requireFolder(files: readonly LeftFile[], host: string): void {
  const paths = new Set(files.map(({ path }) => path));
  const isInTheWay = ({ path }: LeftFile): boolean =>
    path.split('/').some((_, at, parts) => at > 0 && paths.has(parts.slice(0, at).join('/')));
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (paths.size === files.length && !files.some(isInTheWay) && totalBytes <= maxTrialBytes) return;
  throw new H2h3Error('bad-input', `${host} says that a trial left what none leaves`);
}

async function bring(folder: string, { path, bytes }: LeftFile, host: string, ask: AskPart): Promise<void> {
  const target = join(folder, path);
  const file = opened(target);
  try {
    for (let gotBytes = 0; gotBytes < bytes;) {
      const part = await ask(path, gotBytes);
      if (part.length === 0 || part.length > Math.min(partBytes, bytes - gotBytes))
        throw new H2h3Error('bad-input', `${host} gave another file than it said: ${path}`);
      for (let written = 0; written < part.length;) written += write(file, part.subarray(written), target);
      gotBytes += part.length;
    }
  } finally {
    closeSync(file);
  }
}

function opened(target: string): number {
  try {
    mkdirSync(dirname(target), { recursive: true });
    return openSync(target, 'w');
  } catch (thrown) {
    throw storageError(thrown, target);
  }
}

function write(file: number, bytes: Buffer, target: string): number {
  try {
    return writeSync(file, bytes);
  } catch (thrown) {
    throw storageError(thrown, target);
  }
}
