import { stat } from 'node:fs/promises';
import { digestOf } from '../../src/system/package-archive.ts';

/** Of programs that were started before; a file that was replaced has another key. */
const known = new Map<string, Promise<string>>();

/** SHA-256 of a program, worked out once while its file stays as it is; undefined for one that may not be read. */
export async function programDigest(file: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size } = await stat(file);
    const key = `${file} ${mtimeMs} ${size}`;
    const digest = known.get(key) ?? digestOf(file, 'sha256', 'hex');
    known.set(key, digest);
    return await digest;
  } catch {
    return undefined; // it runs, and what it is stays unknown
  }
}
