import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import { archiveIndexSchema, entryKey, type ArchiveEntry, type ArchiveIndex } from './archive-index.ts';
import { sha256 } from './write-archive.ts';

/** A recorded site that was checked whole: every body is what its name says. */
export interface Archive {
  readonly index: ArchiveIndex;
  readonly hosts: readonly string[];
  /** Encoded body; empty where the answer had none. */
  body(entry: ArchiveEntry): Uint8Array;
}

/**
 * Opens an archive and checks every byte of it, so that none can be served wrong.
 * @throws H2h3Error `bad-input` for a folder that is no archive, a damaged, missing or doubled part.
 */
export async function openArchive(directory: string): Promise<Archive> {
  const file = join(directory, 'index.json');
  const parsed = archiveIndexSchema.safeParse(await readIndex(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw damaged(file, `${issue?.path.join('.')}: ${issue?.message}`, 'something else');
  }
  const index = parsed.data;
  const seen = new Set<string>();
  const bodies = new Map<string, Uint8Array>();
  for (const entry of index.entries) {
    const key = entryKey(entry);
    if (seen.has(key)) throw damaged(file, 'one answer a request', `two for ${key}`);
    seen.add(key);
    if (entry.body !== null)
      bodies.set(entry.body, bodies.get(entry.body) ?? (await readBody(directory, entry.body)));
    const bytes = entry.body === null ? 0 : (bodies.get(entry.body)?.length ?? 0);
    if (bytes !== entry.bodyBytes) {
      throw damaged(file, `${entry.bodyBytes} bytes for ${key}`, `${bytes} bytes`);
    }
  }
  const empty = new Uint8Array();
  return {
    index,
    hosts: [...new Set(index.entries.map((entry) => entry.host))].sort(),
    body: (entry) => (entry.body === null ? empty : (bodies.get(entry.body) ?? empty)),
  };
}

async function readIndex(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw damaged(file, 'the index of an archive', messageOf(cause));
  }
}

async function readBody(directory: string, name: string): Promise<Uint8Array> {
  const file = join(directory, 'bodies', name);
  let content: Uint8Array;
  try {
    content = await readFile(file);
  } catch (cause) {
    throw damaged(file, 'a body that the index names', messageOf(cause));
  }
  const got = sha256(content);
  if (got !== name) throw damaged(file, `SHA-256 ${name}`, got);
  return content;
}

function damaged(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', `The archive is damaged: ${file}`, {
    context: { file, expected, got },
    next: 'Record the site again, or restore the archive from where it came.',
  });
}
