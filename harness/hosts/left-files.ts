import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { isLackOfRoom } from '../../src/core/system/lack-of-room.ts';
import { makeFolder, storageError } from '../../src/core/system/storage-error.ts';
import type { LeftFile } from './client-calls.ts';
import { maxTrialBytes, maxTrialFiles, partBytes } from './far-files.ts';
import { foreignText } from './foreign-text.ts';

/** What stays free on the disk here, for what the run itself writes. */
const spareBytes = 200_000_000;
/** So many files are under way at once: most are small, and each is waited for. */
const atOnce = 8;
/** Written at this end, whatever came. A client that was recorded leaves the second as well. */
const evidenceFile = 'raw.json.gz';
const harFile = 'page.har.gz';

/** The bytes of a file from an offset on. @throws H2h3Error as `FarHost.ask` */
export type AskPart = (path: string, offsetBytes: number) => Promise<Buffer>;

/** From where files come, until one fails. */
interface Source {
  readonly host: string;
  readonly ask: AskPart;
  readonly over: AbortSignal;
}

/**
 * Brings what a trial left on another machine into its folder here. The paths were judged by their schema: they stay below it.
 * What came of it is removed again where not all does.
 *
 * @throws H2h3Error `bad-input` for files that cannot be such a folder's, or of which one cannot be kept under its name; `storage`
 * where there is no room
 */
export async function bringFiles(
  folder: string,
  files: readonly LeftFile[],
  host: string,
  ask: AskPart,
): Promise<void> {
  requireFolder(files, host);
  makeFolder(folder);
  requireRoomFor(files, folder);
  const over = new AbortController();
  const source = { host, ask, over: over.signal };
  try {
    for (let first = 0; first < files.length; first += atOnce) {
      const underWay = files.slice(first, first + atOnce).map((file) => bring(folder, file, source));
      // The first that fails ends the others, and all have ended when their files are removed.
      await Promise.all(underWay.map((each) => each.catch((thrown: unknown) => over.abort(thrown))));
      over.signal.throwIfAborted();
    }
  } catch (thrown) {
    for (const name of new Set(files.map(({ path }) => firstOf(path))))
      rmSync(join(folder, name), { recursive: true, force: true });
    throw thrown;
  }
}

/** What lies in the folder itself. */
const firstOf = (path: string): string => path.split('/', 1).join();

/** All together are what a trial can have, no file is named twice, and none is a folder of another or in the way of ours. */
function requireFolder(files: readonly LeftFile[], host: string): void {
  const bytes = bytesOf(files);
  if (bytes > maxTrialBytes || files.length > maxTrialFiles)
    throw new H2h3Error(
      'bad-input',
      `${host} says that a trial left ${files.length} files of ${Math.ceil(bytes / 1e6)} MB: ` +
        `at most ${maxTrialFiles} files and ${maxTrialBytes / 1e6} MB are taken`,
    );
  // In this order the first of what lies below a path comes right after it.
  const inOrder = files.map(({ path }) => `${path}/`).toSorted();
  const isInTheWay = inOrder.some((path, at) => inOrder[at + 1]?.startsWith(path));
  if (isInTheWay || files.some(isOurs))
    throw new H2h3Error('bad-input', `${host} says that a trial left what none leaves`);
}

/** Whether it would take the place of what is written here, on file systems as well that take capitals for small letters. */
function isOurs({ path }: LeftFile): boolean {
  const first = firstOf(path).toLowerCase();
  return first === evidenceFile || (first === harFile && path !== harFile);
}

const bytesOf = (files: readonly LeftFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Before the first byte: a disk that is full is too late for the run's own files. @throws H2h3Error `storage` */
function requireRoomFor(files: readonly LeftFile[], folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  const neededBytes = bytesOf(files) + spareBytes;
  if (freeBytes >= neededBytes) return;
  throw new H2h3Error('storage', 'there is no room for what a trial left on the other machine', {
    context: {
      file: folder,
      expected: `${Math.ceil(neededBytes / 1e6)} MB free`,
      got: `${Math.floor(freeBytes / 1e6)} MB`,
    },
    next: 'Make room, then continue with `npx h2h3 run --resume DIR`.',
  });
}

async function bring(folder: string, { path, bytes }: LeftFile, source: Source): Promise<void> {
  const { host, ask, over } = source;
  const target = join(folder, path);
  const keeping = <Value>(step: () => Value): Value => {
    try {
      return step();
    } catch (thrown) {
      throw faultOf(thrown, { path, target, host });
    }
  };
  const file = keeping(() => {
    makeFolder(dirname(target));
    return openSync(target, 'w');
  });
  try {
    for (let gotBytes = 0; gotBytes < bytes;) {
      over.throwIfAborted();
      const part = await ask(path, gotBytes);
      if (part.length !== Math.min(partBytes, bytes - gotBytes))
        throw new H2h3Error('bad-input', `${host} gave another file than it said: ${foreignText(path)}`);
      for (let written = 0; written < part.length;)
        written += keeping(() => writeSync(file, part.subarray(written)));
      gotBytes += part.length;
    }
  } finally {
    closeSync(file);
  }
}

/** Where nothing can be written here any more, that is no matter of one trial. Any other fault is of what the other machine left. */
function faultOf(
  thrown: unknown,
  { path, target, host }: { readonly path: string; readonly target: string; readonly host: string },
): unknown {
  const fault = storageError(thrown, target);
  if (isLackOfRoom(fault)) return fault;
  const cause = fault instanceof H2h3Error ? fault.cause : fault;
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new H2h3Error(
    'bad-input',
    `${host} left a file that cannot be kept here (${code}): ${foreignText(path)}`,
    { cause },
  );
}
