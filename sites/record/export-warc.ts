import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArchiveEntry } from '../archive/archive-index.ts';
import type { Archive } from '../archive/open-archive.ts';
import { sha256 } from '../archive/write-archive.ts';
import { exchangeExtension, extensionType, headExtension } from './archive-extension.ts';
import { addressOf, searchOf } from '../archive/address-of.ts';

/**
 * Writes an archive as WARC 1.1, each record compressed by itself. What the format has no place for (pauses, hints, what
 * broke off or was never answered) stands in records of metadata.
 */
export async function exportWarc(archive: Archive, file: string): Promise<void> {
  // Loaded when needed: it takes longer than other commands' start.
  const { WARCSerializer } = await import('warcio');
  async function* serialized(): AsyncGenerator<Uint8Array> {
    for await (const record of records(archive)) yield await WARCSerializer.serialize(record, { gzip: true });
  }
  await pipeline(Readable.from(serialized()), createWriteStream(file, { flags: 'wx' }));
}

type Warcio = typeof import('warcio');
type Record = InstanceType<Warcio['WARCRecord']>;

interface RecordToMake {
  readonly type: 'request' | 'response' | 'metadata';
  readonly url: string;
  readonly atEpochMs: number;
  readonly contentType: string;
  /** Of HTTP a head goes before the payload. */
  readonly head?: string;
  readonly payload: Uint8Array;
  /** Identifier of the record that it belongs to. */
  readonly concurrentTo?: string;
}

async function* records(archive: Archive): AsyncGenerator<Record> {
  const { WARCRecord } = await import('warcio');
  const startEpochMs = Date.parse(archive.index.recordedAt);
  const [url = ''] = archive.index.urls;
  yield WARCRecord.createWARCInfo({ warcVersion: 'WARC/1.1' }, { software: 'h2h3 1.0' });
  yield made(WARCRecord, {
    type: 'metadata',
    url,
    atEpochMs: startEpochMs,
    contentType: extensionType,
    payload: Buffer.from(JSON.stringify(headExtension(archive))),
  });
  for (const entry of archive.index.entries) {
    const of = { url: addressOf(entry), atEpochMs: startEpochMs + entry.startMs };
    let concurrentTo: string | undefined;
    if (entry.status !== 0) {
      const head = headOf(`HTTP/1.1 ${entry.status} `, entry.headers);
      const contentType = 'application/http; msgtype=response';
      const answer = made(WARCRecord, {
        ...of,
        type: 'response',
        contentType,
        head,
        payload: archive.body(entry),
      });
      yield answer;
      concurrentTo = answer.warcHeader('WARC-Record-ID') ?? '';
    }
    const request = made(WARCRecord, {
      ...of,
      type: 'request',
      contentType: 'application/http; msgtype=request',
      head: requestHead(entry),
      payload: archive.requestBody(entry) ?? new Uint8Array(),
      ...(concurrentTo === undefined ? {} : { concurrentTo }),
    });
    yield request;
    yield made(WARCRecord, {
      ...of,
      type: 'metadata',
      contentType: extensionType,
      payload: Buffer.from(JSON.stringify(exchangeExtension(entry, true))),
      concurrentTo: request.warcHeader('WARC-Record-ID') ?? '',
    });
  }
}

/** As resources the blocks go out to the byte: of responses warcio writes headers as UTF-8, and only one of each name. */
function made(WARCRecord: Warcio['WARCRecord'], record: RecordToMake): Record {
  const { type, url, atEpochMs, contentType, head = '', payload, concurrentTo } = record;
  const warcHeaders = {
    'Content-Type': contentType,
    // Of a resource warcio takes the whole block for the payload.
    'WARC-Payload-Digest': `sha256:${sha256(payload)}`,
    ...(concurrentTo === undefined ? {} : { 'WARC-Concurrent-To': concurrentTo }),
  };
  const date = new Date(atEpochMs).toISOString();
  const written = WARCRecord.create({ type: 'resource', url, date, warcVersion: 'WARC/1.1', warcHeaders }, [
    Buffer.from(head, 'latin1'),
    payload,
  ]);
  written.warcHeaders.headers.set('WARC-Type', type);
  return written;
}

function headOf(first: string, headers: readonly (readonly [string, string])[]): string {
  return `${first}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function requestHead(entry: ArchiveEntry): string {
  const { method, path, host, range, requestType, vary } = entry;
  const headers: [string, string][] = [['Host', host], ...Object.entries(vary)];
  if (range !== '') headers.push(['Range', range]);
  if (requestType !== '') headers.push(['Content-Type', requestType]);
  return headOf(`${method} ${path}${searchOf(entry)} HTTP/1.1`, headers);
}
