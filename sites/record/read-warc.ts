import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';

/** One record: its headers by lower-case name, and its block. */
export interface WarcRecord {
  readonly headers: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

/** Limits of what is read: beyond them a file is an attack on the reader, or too large to be a page. */
const maxRecords = 200_000;
const maxBlockBytes = 256_000_000;
const maxBytes = 2_000_000_000;
const maxRatio = 200;
/** Below it no ratio is suspicious. */
const harmlessBytes = 50_000_000;

/**
 * Reads a WARC file (ISO 28500) record by record through warcio, in pieces, so that the process can be ended at any time.
 *
 * @throws H2h3Error `bad-input` for a file that is no WARC, is cut short, or unpacks beyond measure; `interrupted`.
 */
export async function readWarc(file: string, signal: AbortSignal): Promise<readonly WarcRecord[]> {
  // Loaded when needed: it takes longer than other commands' start.
  const { AsyncIterReader, WARCParser } = await import('warcio');
  const records: WarcRecord[] = [];
  try {
    const reader = new AsyncIterReader(await pieces(file, signal), null);
    const parser = new WARCParser(reader, { parseHttp: false });
    for await (const record of parser) {
      if (records.length === maxRecords) throw new Error(`more than ${maxRecords} records`);
      const { statusline, headers } = record.warcHeaders;
      const bytes = Number(headers.get('content-length') ?? NaN);
      if (!statusline.startsWith('WARC/') || !Number.isInteger(bytes) || bytes < 0)
        throw new Error(`no record: "${statusline.slice(0, 60)}", length ${headers.get('content-length')}`);
      const block = await blockOf(record.reader, bytes);
      requireEmptyLine(await reader.readlineRaw());
      records.push({
        headers: new Map([...headers].map(([name, value]) => [name.toLowerCase(), value])),
        block,
      });
    }
  } catch (cause) {
    if (cause instanceof H2h3Error) throw cause;
    throw noWarc(file, messageOf(cause));
  }
  return records;
}

/** One follows each record; warcio says on the console of the program that reads a file what else it finds. */
function requireEmptyLine(line: Uint8Array | null): void {
  if (line !== null && Buffer.from(line).toString('latin1').trim() !== '')
    throw new Error('a record that goes on after its length');
}

async function blockOf(
  reader: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytes: number,
): Promise<Buffer> {
  if (bytes > maxBlockBytes) throw new Error(`a record of ${bytes} bytes; up to ${maxBlockBytes} are read`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of reader) chunks.push(chunk);
  const block = Buffer.concat(chunks);
  if (block.length < bytes) throw new Error(`a record that is cut short: ${block.length} of ${bytes} bytes`);
  return block;
}

/** The file's bytes, unpacked; each record may be compressed by itself, and Node reads them all. */
async function pieces(file: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  // A named pipe without a writer would be waited for without end.
  if (!(await stat(file)).isFile()) throw new Error('it is no regular file');
  const handle = await open(file);
  const start = Buffer.alloc(2);
  await handle.read(start, 0, 2, 0);
  const { size } = await handle.stat();
  await handle.close();
  const content = createReadStream(file);
  if (start[0] !== 0x1f || start[1] !== 0x8b) return limited(content, size, signal);
  const unpacked = createGunzip();
  // What goes wrong on the way is thrown to the reader of its end.
  pipeline(content, unpacked, () => undefined);
  return limited(unpacked, size, signal);
}

async function* limited(
  source: AsyncIterable<Buffer>,
  fileBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    if (signal.aborted) throw new H2h3Error('interrupted', 'Reading was interrupted; nothing is kept');
    bytes += chunk.length;
    if (bytes > maxBytes || (bytes > harmlessBytes && bytes > maxRatio * fileBytes))
      throw new Error(`${fileBytes} bytes that unpack to more than ${bytes}`);
    yield chunk;
  }
}

export function noWarc(file: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', `${file} is not a WARC file with answers`, {
    context: { file, expected: 'WARC records with answers, of a size that a page may have', got },
    next: 'See that it is whole (.warc or .warc.gz), or record the site with `npx h2h3 record`.',
  });
}
