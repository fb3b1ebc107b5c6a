import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliDecompress,
  deflate,
  gunzip,
  gzip,
  inflate,
  zstdCompress,
  zstdDecompress,
} from 'node:zlib';

interface Coding {
  readonly encode: (body: Buffer) => Promise<Buffer>;
  readonly decode: (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
}

const gzipCoding: Coding = { encode: promisify(gzip), decode: promisify(gunzip) };
/** RFC 9110, 8.4.1, and RFC 8878; a map, because names come from files. */
const codings = new Map<string, Coding>([
  ['gzip', gzipCoding],
  ['x-gzip', gzipCoding],
  ['br', { encode: promisify(brotliCompress), decode: promisify(brotliDecompress) }],
  ['deflate', { encode: promisify(deflate), decode: promisify(inflate) }],
  ['zstd', { encode: promisify(zstdCompress), decode: promisify(zstdDecompress) }],
]);
const maxDecodedBytes = 256_000_000;

/** Codings of a `Content-Encoding` in the order in which they were applied; undefined where one is not known. */
function codingsOf(header: string): readonly Coding[] | undefined {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const known = names.map((name) => codings.get(name));
  return known.every((coding) => coding !== undefined) ? known : undefined;
}

/** Null for a coding that is not known, a damaged body, or one that grows beyond `maxBytes`. */
export async function decodeBody(
  body: Uint8Array,
  contentEncoding: string,
  maxBytes = maxDecodedBytes,
): Promise<Buffer | null> {
  const applied = codingsOf(contentEncoding);
  if (applied === undefined) return null;
  let content = Buffer.from(body);
  try {
    for (const { decode } of applied.toReversed())
      content = Buffer.from(await decode(content, { maxOutputLength: maxBytes }));
    return content;
  } catch {
    // Cut short, too large, or not what its header says: the caller decides what to do without it.
    return null;
  }
}

/** Null for a coding that is not known. */
export async function encodeBody(body: Buffer, contentEncoding: string): Promise<Buffer | null> {
  const applied = codingsOf(contentEncoding);
  if (applied === undefined) return null;
  let content = body;
  for (const { encode } of applied) content = await encode(content);
  return content;
}
