import { gzipSync, inflateRawSync } from 'node:zlib';
import { hasErrno, messageOf } from '../model/errors.ts';

/** One file of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** As the archive says it; `read` holds it to that. */
  readonly unpackedBytes: number;
  /** @throws Error for content that is damaged, or has another size or checksum than the archive says */
  readonly read: () => Uint8Array;
}

export interface ZipLimits {
  readonly maxFiles: number;
  /** Of all files together, unpacked. */
  readonly maxBytes: number;
}

/** Signatures and sizes of the records of a zip archive (APPNOTE 6.3.10, 4.3). */
const endSignature = 0x06054b50;
const endBytes = 22;
const maxCommentBytes = 0xffff;
const listedSignature = 0x02014b50;
const listedBytes = 46;
const localSignature = 0x04034b50;
const localBytes = 30;
/** Stands for a value in a record of ZIP64, which archives below 4 GB do not need. */
const inZip64 = 0xffffffff;

const encryptedFlag = 1;
const utf8Flag = 1 << 11;
const storedMethod = 0;
const deflatedMethod = 8;

/** Deflate makes at most 258 bytes out of two bits; what says that it makes more would only fill the memory. */
const maxInflation = 1032;

/** What the list of an archive says of one file. */
interface Listed {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly localOffset: number;
}

/**
 * The files of a zip archive, folders left out, none of them unpacked yet. Nothing of what the archive says of itself is believed:
 * sizes and checksums are those of the content, and all files together are no longer than the archive.
 *
 * @param allow asked of each name, before anything else of its file; may throw
 * @throws Error for what is no zip archive, or one of more than `limits`
 */
export function zipEntries(
  content: Buffer,
  limits: ZipLimits,
  allow: (name: string) => void = () => undefined,
): ZipEntry[] {
  const names = new Set<string>();
  const entries: ZipEntry[] = [];
  let packedBytes = 0;
  let unpackedBytes = 0;
  for (const listed of listedIn(content)) {
    const { name } = listed;
    allow(name);
    if (name.endsWith('/')) continue;
    if (names.has(name)) throw new Error(`${name} is in it twice`);
    names.add(name);
    requirePossibleSizes(listed);
    packedBytes += listed.packedBytes;
    if (packedBytes > content.length)
      throw new Error(`${name} ends behind the end of the archive, or lies over other files`);
    unpackedBytes += listed.unpackedBytes;
    if (names.size > limits.maxFiles || unpackedBytes > limits.maxBytes)
      throw new Error(`it unpacks to more than ${limits.maxBytes} bytes or ${limits.maxFiles} files`);
    entries.push({
      name,
      unpackedBytes: listed.unpackedBytes,
      read: () => unpacked(listed, packedIn(content, listed)),
    });
  }
  return entries;
}

function* listedIn(content: Buffer): Generator<Listed> {
  const end = endOf(content);
  const count = content.readUInt16LE(end + 10);
  let at = content.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + listedBytes > end || content.readUInt32LE(at) !== listedSignature)
      throw new Error('its list of files is damaged, or is one of ZIP64');
    const nameBytes = content.readUInt16LE(at + 28);
    const flags = content.readUInt16LE(at + 8);
    const name = content.toString(
      (flags & utf8Flag) === 0 ? 'latin1' : 'utf8',
      at + listedBytes,
      at + listedBytes + nameBytes,
    );
    if ((flags & encryptedFlag) !== 0) throw new Error(`${name} is encrypted`);
    yield {
      name,
      method: content.readUInt16LE(at + 10),
      checksum: content.readUInt32LE(at + 16),
      packedBytes: content.readUInt32LE(at + 20),
      unpackedBytes: content.readUInt32LE(at + 24),
      localOffset: content.readUInt32LE(at + 42),
    };
    at += listedBytes + nameBytes + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32);
  }
}

/** Where the record at the end begins, behind which only a comment may stand. */
function endOf(content: Buffer): number {
  const last = content.length - endBytes;
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at--)
    if (content.readUInt32LE(at) === endSignature) return at;
  throw new Error('it has no end of a zip archive');
}

function requirePossibleSizes({ name, method, packedBytes, unpackedBytes }: Listed): void {
  if (method !== storedMethod && method !== deflatedMethod)
    throw new Error(`${name} is packed by method ${method}, which is not read`);
  const isPossible =
    method === storedMethod ? packedBytes === unpackedBytes : unpackedBytes <= packedBytes * maxInflation;
  if (!isPossible || packedBytes === inZip64)
    throw new Error(`the sizes of ${name} (${packedBytes} and ${unpackedBytes} bytes) cannot both be true`);
}

/** The bytes of a file as they lie in the archive. */
function packedIn(content: Buffer, { name, localOffset, packedBytes }: Listed): Buffer {
  const isHead =
    localOffset + localBytes <= content.length && content.readUInt32LE(localOffset) === localSignature;
  if (!isHead) throw new Error(`${name} is not where the list of files says`);
  const start =
    localOffset +
    localBytes +
    content.readUInt16LE(localOffset + 26) +
    content.readUInt16LE(localOffset + 28);
  if (start + packedBytes > content.length) throw new Error(`${name} ends behind the end of the archive`);
  return content.subarray(start, start + packedBytes);
}

function unpacked({ name, method, checksum, unpackedBytes }: Listed, packed: Buffer): Uint8Array {
  const content = method === storedMethod ? packed : inflated(name, packed, unpackedBytes);
  if (content.length !== unpackedBytes)
    throw new Error(`${name} has ${content.length} bytes, not the ${unpackedBytes} that it says`);
  if (checksumOf(content) !== checksum) throw new Error(`${name} has another checksum than it says`);
  return content;
}

/** CRC-32, with which a gzip stream ends (RFC 1952, section 2.3.1): `zlib.crc32` is no part of Node 20.11 and 21, which h2h3-link runs on. */
function checksumOf(content: Uint8Array): number {
  const stream = gzipSync(content, { level: 0 });
  return stream.readUInt32LE(stream.length - 8);
}

function inflated(name: string, packed: Buffer, unpackedBytes: number): Buffer {
  try {
    // No output is no limit that zlib takes.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, unpackedBytes) });
  } catch (thrown) {
    throw new Error(
      hasErrno(thrown, 'ERR_BUFFER_TOO_LARGE')
        ? `${name} has more than the ${unpackedBytes} bytes that it says`
        : `${name} is damaged (${messageOf(thrown)})`,
      { cause: thrown },
    );
  }
}
