import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { headerOf, type Header } from '../../sites/archive/headers.ts';
import { openArchive, type Archive } from '../../sites/archive/open-archive.ts';
import { importHar } from '../../sites/record/import-har.ts';
import { importWarc } from '../../sites/record/import-warc.ts';
import type { Imported, LeftOut } from '../../sites/record/store-imported.ts';
import { tempFolder } from './temp-folder.ts';

export interface AnswerOfFile {
  readonly url: string;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: readonly Header[];
  readonly body?: string;
  readonly requestHeaders?: readonly Header[];
  /** Seconds after the first. */
  readonly atSeconds?: number;
}

export interface HarAnswer extends AnswerOfFile {
  readonly resourceType?: string;
  readonly pageref?: string;
  /** Replaces fields of the entry. */
  readonly entry?: object;
}

const firstEpochMs = Date.parse('2026-01-02T03:04:05.000Z');

export function dateAfter(seconds = 0): string {
  return new Date(firstEpochMs + seconds * 1000).toISOString();
}

/** An entry of a HAR, as the developer tools of browsers write it. */
export function harEntry(answer: HarAnswer): object {
  const { url, status = 200, type = 'text/html', headers = [], body = '', requestHeaders = [] } = answer;
  const pairs = (list: readonly Header[]): object[] => list.map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: dateAfter(answer.atSeconds),
    request: { method: 'GET', url, headers: pairs(requestHeaders) },
    response: {
      status,
      headers: pairs([['content-type', type], ...headers]),
      content: { size: body.length, mimeType: type, text: body },
    },
    ...(answer.resourceType === undefined ? {} : { _resourceType: answer.resourceType }),
    ...(answer.pageref === undefined ? {} : { pageref: answer.pageref }),
    ...answer.entry,
  };
}

export interface ImportedFile extends Imported {
  readonly archive: Archive;
}

/** Imports a HAR of these entries. */
export async function importedHar(
  t: TestContext,
  entries: readonly object[],
  { page, log = {}, before = '' }: { page?: string; log?: object; before?: string } = {},
): Promise<ImportedFile> {
  const folder = tempFolder(t);
  const harFile = join(folder, 'site.har');
  writeFileSync(harFile, before + JSON.stringify({ log: { creator: { name: 'test' }, entries, ...log } }));
  const outDir = join(folder, 'archive');
  const imported = await importHar({ harFile, outDir, page });
  return { ...imported, archive: await openArchive(outDir) };
}

export interface WarcHead {
  readonly type: string;
  readonly url?: string;
  readonly atSeconds?: number;
  readonly more?: Readonly<Record<string, string>>;
}

/** A record of a WARC file; its lines end with CRLF whatever those of its block do. */
export function warcRecord({ type, url, atSeconds, more = {} }: WarcHead, block: Buffer | string): Buffer {
  const headers = {
    'WARC-Type': type,
    ...(url === undefined ? {} : { 'WARC-Target-URI': url }),
    'WARC-Date': dateAfter(atSeconds),
    ...more,
    'Content-Length': String(Buffer.byteLength(block)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(block),
    Buffer.from('\r\n\r\n'),
  ]);
}

/** An answer as a server sent it, in a record of its own. @param lineEnd of the head */
export function warcResponse(
  answer: AnswerOfFile & Pick<WarcHead, 'more'> & { readonly first?: string },
  lineEnd = '\r\n',
): Buffer {
  const { url, status = 200, type = 'text/html', headers = [], body = '', more = {}, atSeconds } = answer;
  const lines = [['Content-Type', type] as const, ...headers].map(([name, value]) => `${name}: ${value}`);
  const head = [answer.first ?? `HTTP/1.1 ${status} X`, ...lines, '', ''].join(lineEnd);
  return warcRecord(
    { type: 'response', url, more, ...(atSeconds === undefined ? {} : { atSeconds }) },
    head + body,
  );
}

/** Imports a WARC file of these records. */
export async function importedWarc(
  t: TestContext,
  records: readonly Buffer[],
  page?: string,
): Promise<ImportedFile> {
  const folder = tempFolder(t);
  const warcFile = join(folder, 'crawl.warc');
  writeFileSync(warcFile, Buffer.concat(records));
  const outDir = join(folder, 'archive');
  const signal = AbortSignal.timeout(60_000);
  const imported = await importWarc({ warcFile, outDir, page, signal });
  return { ...imported, archive: await openArchive(outDir) };
}

export function addressesOf(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ url }) => url);
}

/** What a browser gets at each path: status, type and body. */
export function answersOf(archive: Archive): Record<string, readonly [number, string, string]> {
  const answers = archive.index.entries.map((entry) => {
    const type = headerOf(entry.headers, 'content-type') ?? '';
    return [entry.path, [entry.status, type, Buffer.from(archive.body(entry)).toString()]] as const;
  });
  return Object.fromEntries(answers);
}
