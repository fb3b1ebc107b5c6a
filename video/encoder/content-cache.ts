import { createHash, randomUUID } from 'node:crypto';
import { link, lstat, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { isAlive } from '../../src/core/system/processes/process-identity.ts';
import { makeFolder } from '../../src/core/system/storage-error.ts';

/** Folders below the cache; work in progress lies on the same file system as what it becomes. */
export interface VideoFolders {
  readonly encodes: string;
  readonly media: string;
  readonly player: string;
  readonly work: string;
}

export function videoFolders(cacheDir: string): VideoFolders {
  const root = join(cacheDir, 'video');
  return {
    encodes: join(root, 'encodes'),
    media: join(root, 'media'),
    player: join(root, 'player'),
    work: join(root, 'work'),
  };
}

const keyLength = 16;

/** Name for content that is decided by `inputs`, in hexadecimal. */
export function contentKey(inputs: unknown): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, keyLength);
}

/** Whether a file was made; one that is empty was not. */
export async function hasContent(file: string): Promise<boolean> {
  try {
    return (await stat(file)).size > 0;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return false;
    throw thrown;
  }
}

/**
 * Makes `target` (a file or a folder) in a folder of its own and renames it into place when `make` has returned:
 * what carries the name of a whole asset is whole. When another process was faster its result stays.
 * @throws H2h3Error `storage` when the disk is full or cannot be written; else what `make` throws
 */
export async function makeAtomically(
  folders: VideoFolders,
  target: string,
  make: (partial: string) => Promise<void>,
): Promise<void> {
  const workDir = join(folders.work, `${process.pid}-${randomUUID()}`);
  try {
    await removeAbandonedWork(folders.work);
    makeFolder(workDir);
    const partial = join(workDir, 'partial');
    await make(partial);
    makeFolder(join(target, '..'));
    await renameUnlessThere(partial, target);
  } catch (thrown) {
    throw asStorageError(thrown, target);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    // A file that is there would be replaced by renaming, under the eyes of who reads it: encodes differ by some bytes.
    if ((await lstat(from)).isDirectory()) await rename(from, to);
    else await link(from, to);
  } catch (thrown) {
    if (withoutLinks.some((code) => hasErrno(thrown, code))) await rename(from, to);
    else if (!hasErrno(thrown, 'ENOTEMPTY') && !hasErrno(thrown, 'EEXIST')) throw thrown;
  }
}

/** What file systems say that have no second names for a file. */
const withoutLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/** Work folders carry the process that made them; those of processes that have ended are left over from a crash. */
async function removeAbandonedWork(work: string): Promise<void> {
  makeFolder(work);
  for (const name of await readdir(work)) {
    const pid = Number.parseInt(name, 10);
    if (!Number.isNaN(pid) && !isAlive(pid)) await rm(join(work, name), { recursive: true, force: true });
  }
}

function asStorageError(thrown: unknown, file: string): unknown {
  const codes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'];
  const code = codes.find((name) => hasErrno(thrown, name));
  if (code === undefined) return thrown;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new H2h3Error('storage', full ? 'the disk is full' : 'a folder cannot be written', {
    context: { file, got: code },
    next: full
      ? 'free some space and run it again'
      : 'give write permission for it, or choose another cache folder',
    cause: thrown,
  });
}

/** @throws H2h3Error `storage` when `directory`'s file system has fewer free bytes than `neededBytes`. */
export async function requireFreeSpace(directory: string, neededBytes: number): Promise<void> {
  makeFolder(directory);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= neededBytes) return;
  throw new H2h3Error('storage', 'there is too little room for the video segments', {
    context: { file: directory, expected: `${neededBytes} bytes free`, got: `${bavail * bsize} bytes` },
    next: 'free some space and run it again',
  });
}
