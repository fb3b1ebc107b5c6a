import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { readSmallFile } from '../read-input.ts';
import { livingProcess, processIdentity } from './process-identity.ts';

const folderForm = /^h2h3-\d+-[0-9a-f]{16}$/;
/** In the folder: the process that it is of, and where its id means that process. */
const ownerFile = 'owner';
/** A process writes that file right after it made the folder. */
const unownedForMs = 60_000;

/** In the folder: links to what the process makes in other places and removes when it ends. */
const linkStart = 'also-';

/** Temporary folder of a run, or of a process outside of any; nobody can foresee its name. */
export const temporaryFolderOf = (id: string): string => join(os.tmpdir(), `h2h3-${id}`);

/** Makes that folder with its owner in it. */
export function makeOwnedFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, ownerFile), `${processIdentity(process.pid)}\n${place()}`);
}

/** Has a folder in another place removed together with this one, where the process of this one is killed before. */
export function removeTogether(owned: string, folder: string): void {
  symlinkSync(resolve(folder), join(owned, `${linkStart}${randomUUID()}`), 'junction');
}

/** Start of the system, and the namespace of process ids: another container's may share the folder for temporary files. */
function place(): string {
  if (process.platform !== 'linux') return os.hostname();
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/**
 * Removes this user's temporary folders whose process is gone and was of this place. Whatever others put into the folder
 * for temporary files stays, and stops nobody.
 *
 * @returns how many it removed
 */
export function removeAbandonedFolders(): number {
  const here = place();
  const folders = readdirSync(os.tmpdir())
    .filter((name) => folderForm.test(name))
    .map((name) => join(os.tmpdir(), name));
  return folders
    .filter(isOwn)
    .map((folder) => removeIfAbandoned(folder, here))
    .reduce((sum, count) => sum + count, 0);
}

/** Whether nobody but this user can have put anything into the folder. */
function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  const uid = process.getuid?.();
  return uid === undefined || (stats.uid === uid && (stats.mode & 0o022) === 0);
}

/** How many it removed. */
function removeIfAbandoned(folder: string, here: string): number {
  try {
    const [identity = '', ownPlace] = ownerOf(folder).split('\n');
    if (identity === '') return removeUnowned(folder) ? 1 : 0;
    if (ownPlace !== here || livingProcess(identity) !== null) return 0;
    const all = [...linkedFolders(folder), folder];
    for (const each of all) rmSync(each, { recursive: true, force: true, maxRetries: 3 });
    return all.length;
  } catch {
    return 0; // the administrator's rights made something in it, or another process is just removing it
  }
}

/** Folders of the same process in other places that are still there. */
function linkedFolders(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(linkStart))
    .map((name) => readlinkSync(join(folder, name)))
    .filter((target) => existsSync(target));
}

/** One whose process was killed right after it made it: it is empty, and has been for long. */
function removeUnowned(folder: string): boolean {
  const ageMs = Date.now() - lstatSync(folder).mtimeMs;
  if (ageMs < unownedForMs || readdirSync(folder).some((name) => name !== ownerFile)) return false;
  rmSync(join(folder, ownerFile), { force: true });
  rmdirSync(folder);
  return true;
}

function ownerOf(folder: string): string {
  const names = readdirSync(folder);
  return names.includes(ownerFile) ? (readSmallFile(join(folder, ownerFile)) ?? '') : '';
}
