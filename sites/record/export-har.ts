import { writeFile } from 'node:fs/promises';
import { addressOf } from '../archive/address-of.ts';
import type { ArchiveEntry } from '../archive/archive-index.ts';
import { decodeBody } from '../archive/content-coding.ts';
import { headerOf } from '../archive/headers.ts';
import type { Archive } from '../archive/open-archive.ts';
import { exchangeExtension, extensionField, headExtension } from './archive-extension.ts';

/**
 * Writes an archive as HAR 1.2 with bodies; what HAR has no place for (pauses, hints) stands in fields of our own. What
 * failed before any server was reached stands in it as the developer tools have it: without status, with its error.
 */
export async function exportHar(archive: Archive, file: string): Promise<void> {
  const { index } = archive;
  const startEpochMs = Date.parse(index.recordedAt);
  const entries = await Promise.all(index.entries.map((entry) => harEntry(archive, entry, startEpochMs)));
  entries.push(...failedEntries(archive));
  const creator = { name: 'h2h3', version: '1' };
  const log = { version: '1.2', creator, pages: [], entries, [extensionField]: headExtension(archive) };
  await writeFile(file, JSON.stringify({ log }));
}

async function harEntry(archive: Archive, entry: ArchiveEntry, startEpochMs: number): Promise<object> {
  const body = archive.body(entry);
  const coding = headerOf(entry.headers, 'content-encoding') ?? '';
  const decoded = await decodeBody(body, coding);
  const sent = archive.requestBody(entry);
  const pairs = (headers: readonly (readonly [string, string])[]): object[] =>
    headers.map(([name, value]) => ({ name, value }));
  const requestHeaders: [string, string][] = Object.entries(entry.vary);
  if (entry.range !== '') requestHeaders.push(['range', entry.range]);
  if (entry.requestType !== '') requestHeaders.push(['content-type', entry.requestType]);
  return {
    startedDateTime: new Date(startEpochMs + entry.startMs).toISOString(),
    time: entry.waitMs,
    request: {
      method: entry.method,
      url: addressOf(entry),
      httpVersion: '',
      headers: pairs(requestHeaders),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: sent?.length ?? 0,
      ...(sent === null ? {} : { postData: postDataOf(sent, entry.requestType) }),
    },
    response: {
      status: entry.status,
      statusText: '',
      httpVersion: '',
      // Without a coding that can be undone the body stands as it was sent, and so must its headers.
      headers: pairs(entry.headers),
      content: {
        size: (decoded ?? body).length,
        mimeType: headerOf(entry.headers, 'content-type') ?? '',
        text: Buffer.from(decoded ?? body).toString('base64'),
        encoding: 'base64',
      },
      redirectURL: '',
      cookies: [],
      headersSize: -1,
      bodySize: body.length,
      ...(entry.failure === null ? {} : { _error: entry.failure }),
    },
    cache: {},
    timings: { send: 0, wait: entry.waitMs, receive: 0 },
    [extensionField]: exchangeExtension(entry, decoded === null),
  };
}

function failedEntries({ index }: Archive): object[] {
  const exchanged = new Set(index.entries.map(addressOf));
  const alone = index.failures.filter(({ url }) => !exchanged.has(url));
  return alone.map(({ method, url, reason }) => ({
    startedDateTime: index.recordedAt,
    time: 0,
    request: {
      method,
      url,
      httpVersion: '',
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 0,
      statusText: '',
      httpVersion: '',
      headers: [],
      cookies: [],
      redirectURL: '',
      content: { size: 0, mimeType: '' },
      headersSize: -1,
      bodySize: -1,
      _error: reason,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  }));
}

function postDataOf(sent: Uint8Array, mimeType: string): object {
  const text = Buffer.from(sent).toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(sent);
  return isText
    ? { mimeType, text }
    : { mimeType, text: Buffer.from(sent).toString('base64'), _encoding: 'base64' };
}
