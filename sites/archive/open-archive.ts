import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import {
  archiveIndexSchema,
  archiveSchemaVersion,
  entryKey,
  type ArchiveEntry,
  type ArchiveIndex,
} from './archive-index.ts';
import { sha256 } from './write-archive.ts';

/** Neither an index nor the answers of a page are near it. */
const largestFileBytes = 512_000_000;

/** A recorded site that was checked whole: every body is what its name says. */
export interface Archive {
  readonly index: ArchiveIndex;
  /** Hosts of which any answer came: hosts that were dead are dead in a replay. */
  readonly hosts: readonly string[];
  /** Encoded body; empty where the answer had none. */
  body(entry: ArchiveEntry): Uint8Array;
  /** Body that was sent; null where there was none, or where the archive does not hold it. */
  requestBody(entry: ArchiveEntry): Uint8Array | null;
}

/**
 * Opens an archive and checks every byte of it, so that none can be served wrong.
 * @throws H2h3Error `bad-input` for a folder that is no archive, one of a newer version, a damaged or missing part.
 */
export async function openArchive(directory: string): Promise<Archive> {
  const file = join(directory, 'index.json');
  const index = parseIndex(await readIndex(file), file);
  const bodies = new Map<string, Uint8Array>();
  for (const entry of index.entries) {
    if (entry.body !== null && !bodies.has(entry.body))
      bodies.set(entry.body, await readBody(directory, entry.body));
    const bytes = entry.body === null ? 0 : (bodies.get(entry.body)?.length ?? 0);
    if (bytes !== entry.bodyBytes)
      throw damaged(file, `${entry.bodyBytes} bytes for ${entryKey(entry)}`, `${bytes} bytes`);
    if (entry.requestBody === null || bodies.has(entry.requestBody)) continue;
    const sent = await readSentBody(directory, entry.requestBody);
    if (sent !== null) bodies.set(entry.requestBody, sent);
  }
  const empty = new Uint8Array();
  return {
    index,
    hosts: [...new Set(index.entries.filter(({ status }) => status !== 0).map(({ host }) => host))].sort(),
    body: (entry) => (entry.body === null ? empty : (bodies.get(entry.body) ?? empty)),
    requestBody: (entry) => (entry.requestBody === null ? null : (bodies.get(entry.requestBody) ?? null)),
  };
}

/** @throws H2h3Error `bad-input` */
export function parseIndex(json: unknown, file: string): ArchiveIndex {
  const version = (json as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version === 'number' && version > archiveSchemaVersion)
    throw new H2h3Error('bad-input', `The archive was made by a newer version of h2h3: ${file}`, {
      context: { file, expected: `schema version ${archiveSchemaVersion}`, got: `${version}` },
      next: 'Bring h2h3 up to date, or record the site again with this one.',
    });
  const parsed = archiveIndexSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw damaged(file, `${issue?.path.join('.')}: ${issue?.message}`, 'something else');
  }
  requireReachable(parsed.data, file);
  return parsed.data;
}

/** A browser is sent to the first address: it is one that the archive answers for, and never a file or another program's. */
function requireReachable(index: ArchiveIndex, file: string): void {
  const answered = new Set(index.entries.filter(({ status }) => status !== 0).map(({ host }) => host));
  if (answered.size === 0)
    throw damaged(file, 'an archive with answers', 'none: the original answered nothing');
  for (const url of index.urls) {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
      throw damaged(file, 'an https address without a name and password as start', url);
    if (!answered.has(parsed.hostname)) throw damaged(file, 'a start address of a host in the archive', url);
  }
}

async function readIndex(file: string): Promise<unknown> {
  try {
    return parseForeignJson((await readRegular(file)).toString('utf8'));
  } catch (cause) {
    throw damaged(file, 'the index of an archive', messageOf(cause));
  }
}

/** A named pipe without a writer would be waited for without end. */
async function readRegular(file: string): Promise<Buffer> {
  const stats = await stat(file);
  if (!stats.isFile()) throw new Error('it is no regular file');
  if (stats.size > largestFileBytes) throw new Error(`it has more than ${largestFileBytes} bytes`);
  return readFile(file);
}

async function readBody(directory: string, name: string): Promise<Uint8Array> {
  const file = join(directory, 'bodies', name);
  let content: Uint8Array;
  try {
    content = await readRegular(file);
  } catch (cause) {
    throw damaged(file, 'a body that the index names', messageOf(cause));
  }
  const got = sha256(content);
  if (got !== name) throw damaged(file, `SHA-256 ${name}`, got);
  return content;
}

/** Archives of the first version hold the hash only. */
async function readSentBody(directory: string, name: string): Promise<Uint8Array | null> {
  try {
    return await readBody(directory, name);
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.cause !== undefined) return null;
    throw thrown;
  }
}

function damaged(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', `The archive is damaged: ${file}`, {
    context: { file, expected, got },
    next: 'Record the site again, or restore the archive from where it came.',
  });
}
