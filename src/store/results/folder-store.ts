import { linkSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasErrno } from '../../core/model/errors.ts';
import { filesBelow } from '../../core/system/files-below.ts';
import { readInput } from '../../core/system/read-input.ts';
import { makeFolder, storageError } from '../../core/system/storage-error.ts';
import { partialOf, writeWhole } from '../../core/system/write-whole.ts';
import { pathInside } from '../path-inside.ts';
import { largestObjectBytes, type ResultsStore } from './results-store.ts';

/** A folder that all machines see at the same place, such as one of NFS: objects are files. */
export function folderStore(place: string): ResultsStore {
  const root = resolve(place);
  const fileOf = (key: string): string => {
    makeFolder(root);
    return pathInside(root, ...key.split('/'));
  };
  return {
    place,
    put: (key, content, { ifAbsent = false } = {}) => {
      const file = fileOf(key);
      makeFolder(dirname(file));
      if (ifAbsent) return Promise.resolve(writeNew(file, content));
      writeWhole(file, content);
      return Promise.resolve(true);
    },
    get: (key, maxBytes) => Promise.resolve(readIfThere(fileOf(key), maxBytes)),
    list: (prefix) => {
      const files = filesBelow(fileOf(prefix.replace(/\/$/, '')));
      return Promise.resolve(files.filter((name) => !isPartial(name)).map((name) => prefix + name));
    },
    close: () => undefined,
  };
}

/** A link is made by one only, on file systems of a network too, where exclusive opening may not be. */
function writeNew(file: string, content: string | Uint8Array): boolean {
  const partial = partialOf(file);
  try {
    writeFileSync(partial, content, { flag: 'wx' });
    linkSync(partial, file);
    return true;
  } catch (thrown) {
    if (hasErrno(thrown, 'EEXIST')) return false;
    throw storageError(thrown, file);
  } finally {
    rmSync(partial, { force: true });
  }
}

function readIfThere(file: string, limitBytes = largestObjectBytes): Uint8Array | null {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  return readInput(file, { what: 'an object of results', limitBytes, followLink: false });
}

/** What is being written, here or on another machine. */
const isPartial = (name: string): boolean => name.endsWith('.partial');
