import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';
import { archiveIndexSchema, entryKey, type ArchiveEntry, type ArchiveIndex } from './archive-index.ts';

export interface RecordedExchange {
  readonly entry: Omit<ArchiveEntry, 'body' | 'bodyBytes' | 'requestBody'>;
  readonly requestBody: Uint8Array | null;
  readonly body: Uint8Array | null;
}

/** An empty folder is as good as none. @throws H2h3Error `usage` where something is in the archive's place */
export function requireNewArchive(directory: string): void {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(directory).length === 0)) return;
  throw existsAlready(directory);
}

function existsAlready(directory: string, cause?: unknown): H2h3Error {
  return new H2h3Error('usage', `${directory} exists already`, {
    cause,
    next: 'Name another folder, or remove that one first.',
  });
}

/**
 * Writes an archive; it appears in `directory` only when it is whole. Of answers to the same request the last is kept.
 * @throws H2h3Error `usage` when the folder exists.
 */
export async function writeArchive(
  directory: string,
  head: Omit<ArchiveIndex, 'entries' | 'schemaVersion'>,
  exchanges: readonly RecordedExchange[],
): Promise<ArchiveIndex> {
  await mkdir(dirname(directory), { recursive: true });
  const scratch = await mkdtemp(join(dirname(directory), `.${basename(directory)}-`));
  try {
    await mkdir(join(scratch, 'bodies'));
    const byKey = new Map<string, ArchiveEntry>();
    for (const exchange of exchanges) {
      const entry: ArchiveEntry = {
        ...exchange.entry,
        requestBody: exchange.requestBody?.length ? sha256(exchange.requestBody) : null,
        body: exchange.body?.length ? await writeBody(scratch, exchange.body) : null,
        bodyBytes: exchange.body?.length ?? 0,
      };
      byKey.set(entryKey(entry), entry);
    }
    const index = archiveIndexSchema.parse({ schemaVersion: 1, ...head, entries: [...byKey.values()] });
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

async function writeBody(directory: string, body: Uint8Array): Promise<string> {
  const name = sha256(body);
  await writeFile(join(directory, 'bodies', name), body);
  return name;
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
