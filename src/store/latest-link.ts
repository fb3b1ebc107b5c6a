import { existsSync, lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasErrno } from '../core/model/errors.ts';
import { storageError } from '../core/system/storage-error.ts';

/** Where a symbolic link leads, as it is written; null where there is none. */
function targetOf(link: string): string | null {
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? readlinkSync(link) : null;
}

/** Whether this is the link that an earlier run left: to a run next to it, which may be gone. */
function isOwnLatest(link: string): boolean {
  const target = targetOf(link);
  if (target === null || basename(target) !== target) return false;
  return !existsSync(link) || existsSync(join(link, 'plan.json'));
}

/** A folder that cannot be written, or holds no symbolic links, does without. */
function tolerant(link: string, change: () => void): void {
  try {
    change();
  } catch (thrown) {
    if (!['EPERM', 'EEXIST', 'EACCES', 'EROFS'].some((code) => hasErrno(thrown, code)))
      throw storageError(thrown, link);
  }
}

/** Points `latest` next to the run at it. Returns what takes that back, should nothing come of the run. */
export function pointLatest(path: string): () => void {
  const link = join(dirname(path), 'latest');
  const own = basename(path);
  const before = isOwnLatest(link) ? targetOf(link) : null;
  tolerant(link, () => {
    if (before !== null) rmSync(link);
    if (!existsSync(link)) symlinkSync(own, link, 'dir');
  });
  return () => {
    // A run that was begun meanwhile is the latest now.
    if (targetOf(link) !== own) return;
    tolerant(link, () => {
      rmSync(link);
      if (before !== null && before !== own && existsSync(join(dirname(path), before)))
        symlinkSync(before, link, 'dir');
    });
  };
}
