import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { processFolder, removeWithProcess } from './processes/process-guard.ts';

/** A socket's address has room for 108 bytes; Chromium's needs 45 of them below the folder for temporary files. */
const maxPathBytes = 62;

/**
 * Environment under which a browser keeps its temporary files in its profile, so that those of a killed browser go
 * with it. Empty where that path would be too long.
 */
export async function temporaryFolderIn(profileDir: string): Promise<Record<string, string>> {
  const folder = join(profileDir, 'tmp');
  if (Buffer.byteLength(folder) > maxPathBytes) return {};
  await mkdir(folder, { recursive: true });
  return { TMPDIR: folder };
}

/**
 * Environment under which a program that is run to its end keeps its temporary files where they go with this process: what
 * pip or a compiler has begun stays where they are killed. None that gives up its rights may have it.
 */
export function temporaryFilesHere(): Readonly<Record<string, string>> {
  return { TMPDIR: processFolder() };
}

/**
 * Makes an empty folder of a unique name. The caller removes it; where the process is killed before, it is
 * removed all the same.
 *
 * @param start of its path: a folder that exists, and the first letters of the name
 */
export function makeScratch(start: string): string {
  const folder = `${start}${randomBytes(6).toString('hex')}`;
  // Told first: a process that is killed between the two leaves nothing.
  removeWithProcess(folder);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** `makeScratch` in the folder for temporary files. @param purpose the first letters of its name, for those who look there */
export function makeTemporary(purpose: string): string {
  return makeScratch(join(processFolder(), `${purpose}-`));
}
