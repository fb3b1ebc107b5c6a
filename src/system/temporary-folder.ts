import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A socket's address has room for 108 bytes; Chromium's needs 45 of them below the folder for temporary files. */
const longestPathBytes = 62;

/**
 * Environment under which a browser keeps its temporary files in its profile, so that those of a killed browser go
 * with it. Empty where that path would be too long.
 */
export async function temporaryFolderIn(profileDir: string): Promise<Record<string, string>> {
  const folder = join(profileDir, 'tmp');
  if (Buffer.byteLength(folder) > longestPathBytes) return {};
  await mkdir(folder, { recursive: true });
  return { TMPDIR: folder };
}
