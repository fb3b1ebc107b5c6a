import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import {
  archiveEntrySchema,
  archiveIndexSchema,
  archiveSchemaVersion,
  entryKey,
  type ArchiveEntry,
  type ArchiveHead,
  type ArchiveIndex,
} from './archive-index.ts';
import { makeScratch } from '../../src/core/system/temporary-folder.ts';
import { makeFolder } from '../../src/core/system/storage-error.ts';
import { requireRoomFor } from '../../src/core/system/write-whole.ts';

export interface RecordedExchange {
  readonly entry: Omit<z.input<typeof archiveEntrySchema>, 'body' | 'bodyBytes' | 'requestBody'>;
  readonly requestBody: Uint8Array | null;
  readonly body: Uint8Array | null;
}

/**
 * An empty folder is as good as none.
 *
 * @throws H2h3Error `usage` where something is in the archive's place, `storage` where nothing can be written there
 */
export function requireNewArchive(directory: string): void {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats !== undefined && (!stats.isDirectory() || readdirSync(directory).length > 0))
    throw existsAlready(directory);
  requireRoomFor(directory);
}

function existsAlready(directory: string, cause?: unknown): H2h3Error {
  return new H2h3Error('usage', `${directory} exists already`, {
    cause,
    next: 'Name another folder, or remove that one first.',
  });
}

/**
 * Writes an archive; it appears in `directory` only when it is whole. Every answer of a request is kept, in order, but
 * a 304 next to an answer with the content: whether the content is new is decided when it is replayed.
 *
 * @throws H2h3Error `usage` when the folder exists.
 */
export async function writeArchive(
  directory: string,
  head: ArchiveHead,
  exchanges: readonly RecordedExchange[],
): Promise<ArchiveIndex> {
  makeFolder(dirname(directory));
  const scratch = makeScratch(join(dirname(directory), `.${basename(directory)}-`));
  try {
    await mkdir(join(scratch, 'bodies'));
    const entries: ArchiveEntry[] = [];
    for (const exchange of exchanges) {
      entries.push(
        archiveEntrySchema.parse({
          ...exchange.entry,
          requestBody: await writeBody(scratch, exchange.requestBody),
          body: await writeBody(scratch, exchange.body),
          bodyBytes: exchange.body?.length ?? 0,
        }),
      );
    }
    const index = archiveIndexSchema.parse({
      schemaVersion: archiveSchemaVersion,
      ...head,
      entries: withoutRevalidations(entries),
    });
    await writeFile(join(scratch, 'index.json'), JSON.stringify(index, null, 1));
    await rename(scratch, directory);
    return index;
  } catch (cause) {
    const taken = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].some((code) => hasErrno(cause, code));
    throw taken ? existsAlready(directory, cause) : cause;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const notModified = 304;

function withoutRevalidations(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const withContent = new Set(entries.filter(({ status }) => status !== notModified).map(entryKey));
  return entries.filter((entry) => entry.status !== notModified || !withContent.has(entryKey(entry)));
}

async function writeBody(directory: string, body: Uint8Array | null): Promise<string | null> {
  if (body === null || body.length === 0) return null;
  const name = sha256(body);
  await writeFile(join(directory, 'bodies', name), body);
  return name;
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
