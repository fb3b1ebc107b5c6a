import type { ArchiveIndex } from '../archive/archive-index.ts';
import { storeArchive, type ArchiveChoices } from '../archive/store-archive.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';
import type { HeadExtension } from './archive-extension.ts';
import { missingPreflights } from './preflights.ts';
import { chooseStart, type ChosenStart, type ImportedExchange } from './start-address.ts';

export interface ImportChoices extends ArchiveChoices {
  /** Address at which the archive starts. Default: the likeliest page of the file. */
  readonly page?: string | undefined;
}

/** An entry of the file that the archive does not hold. */
export interface LeftOut {
  readonly url: string;
  readonly reason: string;
}

/** Reasons that leave out entries of either kind of file. */
export const notHttp = 'its address is not of http or https';
export const notFinal = 'its status is none of a whole answer';

export interface Imported {
  readonly index: ArchiveIndex;
  readonly leftOut: readonly LeftOut[];
  /** What a reader must know of how true the archive is. */
  readonly warnings: readonly string[];
}

export interface ReadFile {
  readonly file: string;
  readonly exchanges: readonly ImportedExchange[];
  readonly firstMs: number;
  readonly recorder: string;
  readonly failures: ArchiveIndex['failures'];
  readonly lacks: ArchiveIndex['lacks'];
  /** Of a file that an archive was exported to. */
  readonly extension: HeadExtension | null;
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
}

/**
 * Makes an archive of what was read of a HAR or a WARC file.
 *
 * @throws H2h3Error `usage` where the file has no answer for the page that was asked for, and what `storeArchive` throws; undefined where the file holds no answer.
 */
export async function storeImported(choices: ImportChoices, read: ReadFile): Promise<Imported | undefined> {
  const start = chooseStart(read.exchanges, choices.page ?? null, read.file);
  if (start === undefined) return undefined;
  const preflights = read.extension === null ? missingPreflights(read.exchanges) : [];
  const exchanges = [...read.exchanges.map(({ exchange }) => exchange), ...preflights];
  const head = {
    urls: [start.url],
    recordedAt: new Date(read.firstMs).toISOString(),
    recorder: read.recorder,
    complete: true,
    failures: read.failures,
    lacks: read.lacks,
    ...read.extension,
    ...(choices.page === undefined ? {} : { urls: [start.url] }),
  };
  const stored = await storeArchive(choices, head, exchanges);
  return {
    index: stored.index,
    leftOut: [...read.leftOut, ...stored.skipped.map((url) => ({ url, reason: unstorable }))],
    warnings: [
      ...(read.extension === null ? startWarning(start) : []),
      ...preflightWarning(preflights.length),
      ...read.warnings,
      ...plainHttpWarning(exchanges),
      ...stored.warnings,
    ],
  };
}

const unstorable = 'no archive can hold it: a switch of protocols, or a host that is no name';

function startWarning({ url, others, isPage }: ChosenStart): string[] {
  if (!isPage) return [`no answer of the file is a page: the archive starts at ${url}, the first answer`];
  const more = others.length === 0 ? '' : `; --page starts it at another page: ${others.join(', ')}`;
  return [`the archive starts at ${url}${more}`];
}

function preflightWarning(count: number): string[] {
  return count === 0
    ? []
    : [`${count} preflights that the file leaves out are answered as they must have been`];
}

/** What a reader must know of answers that had no TLS. */
export function plainHttpWarning(exchanges: readonly RecordedExchange[]): string[] {
  const plain = exchanges.filter(({ entry }) => entry.scheme === 'http');
  return plain.length === 0
    ? []
    : [`${plain.length} answers came over plain http: they are replayed over TLS`];
}
