import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../model/errors.ts';

/**
 * The archive that `npm pack` left in a folder of its own.
 *
 * @param integrity Subresource Integrity as npm writes it: `sha512-<base64>`, the strongest first
 * @throws H2h3Error `process-failed` where there is none, `bad-input` where it is another than that
 */
export async function checkedArchive(directory: string, spec: string, integrity: string): Promise<string> {
  const name = (await readdir(directory)).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined)
    throw new H2h3Error('process-failed', `npm pack left no archive of ${spec}`, {
      context: { directory },
      next: `Run \`npm pack ${spec}\` by hand to see what it says.`,
    });
  const file = join(directory, name);
  const [algorithm = 'sha512', expected] = (integrity.split(/\s+/)[0] ?? '').split(/-(.*)/s);
  const got = await digestOf(file, algorithm, 'base64');
  if (got === expected) return file;
  throw new H2h3Error('bad-input', `The archive of ${spec} that came is not the one that was published`, {
    context: { expected: integrity, got: `${algorithm}-${got}` },
    next: 'Try again after `npm cache verify`; if it stays so, the registry or a proxy before it serves another file under this version.',
  });
}

/** Digest of a file. */
export async function digestOf(file: string, algorithm: string, encoding: 'hex' | 'base64'): Promise<string> {
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest(encoding);
}
