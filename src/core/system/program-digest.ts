import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { digestOf } from './package-archive.ts';
import { readKept } from './read-input.ts';
import { writeWhole } from './write-whole.ts';

/** By what a file is and when it changed; a browser takes one to two seconds of CPU time. */
const known = new Map<string, Promise<string>>();

const keptFile = 'program-digests.json';
/** Older ones are worked out again. */
const maxKept = 200;
const keptSchema = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));

/**
 * The program by what it holds, because builds of one version differ. Worked out once while its file stays as it is;
 * empty for one that may not be read.
 *
 * @param cacheDir where digests of earlier runs are kept
 */
export async function digestFact(
  file: string,
  cacheDir: string,
): Promise<{ readonly executableSha256?: string }> {
  try {
    const stats = await stat(file, { bigint: true });
    if (!stats.isFile()) return {};
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    // Whoever writes to a file changes its ctime, which nobody can set (inode(7)).
    const key = [file, dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const digest = known.get(key) ?? keptOrWorkedOut(file, key, cacheDir);
    known.set(key, digest);
    return { executableSha256: await digest };
  } catch {
    return {}; // it runs, and what it is stays unknown
  }
}

async function keptOrWorkedOut(file: string, key: string, cacheDir: string): Promise<string> {
  const kept = keptDigests(cacheDir).get(key);
  if (kept !== undefined) return kept;
  const digest = await digestOf(file, 'sha256', 'hex');
  keep(key, digest, cacheDir);
  return digest;
}

/** The newest last; none where the file is not there or damaged. */
function keptDigests(cacheDir: string): Map<string, string> {
  try {
    const text = readKept(join(cacheDir, keptFile), 'digests of programs') ?? '{}';
    return new Map(Object.entries(keptSchema.parse(JSON.parse(text))));
  } catch {
    return new Map();
  }
}

function keep(key: string, digest: string, cacheDir: string): void {
  const digests = [...keptDigests(cacheDir), [key, digest] as const].slice(-maxKept);
  try {
    writeWhole(join(cacheDir, keptFile), `${JSON.stringify(Object.fromEntries(digests), null, 1)}\n`);
  } catch {
    // It is worked out again the next time.
  }
}
