import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { foundOr } from '../model/errors.ts';

/** Files in a folder and in those within it, by their paths below it; none where there is no such folder, or something else in its place. */
export function filesBelow(folder: string): string[] {
  const entries = foundOr(() => readdirSync(folder, { withFileTypes: true, recursive: true }), [], 'ENOTDIR');
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
