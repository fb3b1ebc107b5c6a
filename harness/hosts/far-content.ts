import { createHash, type Hash } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { makeFolder, storageError } from '../../src/core/system/storage-error.ts';
import type { Asked, FarRoot } from './far-protocol.ts';

/** Files by what they hold, which are sent to a machine once. */
export class FarContent {
  readonly #folder: string;
  readonly #partialDir: string;
  readonly #begun = new Map<string, Hash>();

  /** @param partialDir takes what has not wholly arrived; it is removed with the run */
  constructor(folder: string, partialDir: string) {
    makeFolder(folder);
    makeFolder(partialDir);
    this.#folder = folder;
    this.#partialDir = partialDir;
  }

  missing(digests: readonly string[]): string[] {
    return [...new Set(digests)].filter((digest) => !existsSync(join(this.#folder, digest)));
  }

  /** @throws H2h3Error `bad-input` where all of it is together and is something else, `storage` where there is no room */
  put({ digest, base64, isLast }: Asked<'put'>): void {
    const partial = join(this.#partialDir, digest);
    const bytes = Buffer.from(base64, 'base64');
    const hash = this.#begun.get(digest) ?? createHash('sha256');
    this.#begun.set(digest, hash.update(bytes));
    try {
      appendFileSync(partial, bytes);
      if (!isLast) return;
      this.#begun.delete(digest);
      if (hash.digest('hex') !== digest)
        throw new H2h3Error('bad-input', 'a file was damaged on its way', { next: 'Run it again.' });
      renameSync(partial, join(this.#folder, digest));
    } catch (thrown) {
      // It is sent anew from its beginning.
      this.#begun.delete(digest);
      rmSync(partial, { force: true });
      throw storageError(thrown, partial);
    }
  }

  /** Makes a folder of these files. @throws H2h3Error `bad-input` where one was not sent */
  lay(folder: string, files: FarRoot['files']): void {
    mkdirSync(folder, { recursive: true });
    for (const { path, digest } of files) {
      const content = join(this.#folder, digest);
      if (!existsSync(content)) throw new H2h3Error('bad-input', `the content of ${path} was not sent`);
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      linkOrCopy(content, target);
    }
  }
}

/** Not every file system has links, and a name may be listed twice. */
function linkOrCopy(content: string, target: string): void {
  try {
    linkSync(content, target);
  } catch (thrown) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].some((code) => hasErrno(thrown, code)))
      throw storageError(thrown, target);
    copyFileSync(content, target);
  }
}
