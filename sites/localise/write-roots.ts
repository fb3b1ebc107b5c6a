import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { H2h3Error } from '../../src/core/model/errors.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Texts below this size are sent as they are: the headers cost as much as is saved. */
const smallestCompressedBytes = 1000;
const compressible = new Set(['.html', '.htm', '.css', '.js', '.mjs', '.svg', '.json', '.xml', '.txt']);

/** Levels that content networks use on the fly: near the best ratio, at a tenth of the time. */
const brotliQuality = 6;
const gzipLevel = 6;

export interface RootFile {
  readonly host: string;
  /** Path under the host's folder, without leading slash. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Writes each file under `directory`/host/path, with `.br` and `.gz` next to texts that shrink. */
export async function writeRoots(directory: string, files: readonly RootFile[]): Promise<void> {
  for (const file of files) {
    const target = join(directory, file.host, file.path);
    if (!target.startsWith(join(directory, file.host) + '/')) {
      throw new H2h3Error('bad-input', 'A file would be written outside of its host folder', {
        context: { got: file.path },
      });
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, file.content);
    if (compressible.has(extname(file.path).toLowerCase())) await writeSidecars(target, file.content);
  }
}

async function writeSidecars(target: string, content: Uint8Array): Promise<void> {
  if (content.length < smallestCompressedBytes) return;
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(content, { params: parameters }),
    compressGzip(content, { level: gzipLevel }),
  ]);
  if (brotli.length < content.length) await writeFile(`${target}.br`, brotli);
  if (gzipped.length < content.length) await writeFile(`${target}.gz`, gzipped);
}

/** Short content address of anything that JSON can hold. */
export function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
