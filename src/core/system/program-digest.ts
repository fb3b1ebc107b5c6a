import { stat } from 'node:fs/promises';
import { digestOf } from './package-archive.ts';

/** Of programs that were started before; a file that was replaced has another key. */
const known = new Map<string, Promise<string>>();

/**
 * The program by what it holds, because builds of one version differ. Worked out once while its file stays as it is;
 * empty for one that may not be read.
 */
export async function digestFact(file: string): Promise<{ readonly executableSha256?: string }> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return {};
    const key = `${file} ${stats.mtimeMs} ${stats.size}`;
    const digest = known.get(key) ?? digestOf(file, 'sha256', 'hex');
    known.set(key, digest);
    return { executableSha256: await digest };
  } catch {
    return {}; // it runs, and what it is stays unknown
  }
}
