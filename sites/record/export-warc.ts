import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArchiveEntry } from '../archive/archive-index.ts';
import type { Archive } from '../archive/open-archive.ts';
import { addressOf } from './export-har.ts';

/** Writes an archive as WARC 1.1, each record compressed by itself; requests without an answer are left out. */
export async function exportWarc(archive: Archive, file: string): Promise<void> {
  // Loaded when needed: it takes longer than other commands' start.
  const { WARCRecord, WARCSerializer } = await import('warcio');
  const startEpochMs = Date.parse(archive.index.recordedAt);
  async function* records(): AsyncGenerator<Uint8Array> {
    const info = WARCRecord.createWARCInfo({ warcVersion: 'WARC/1.1' }, { software: 'h2h3 1.0' });
    yield* serialized(info);
    for (const entry of archive.index.entries) {
      if (entry.status === 0) continue;
      const common = {
        url: addressOf(entry),
        date: new Date(startEpochMs + entry.startMs).toISOString(),
        warcVersion: 'WARC/1.1' as const,
      };
      const block = (parts: readonly (string | Uint8Array)[]): Uint8Array[] =>
        parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part));
      const answer = WARCRecord.create(
        {
          ...common,
          type: 'resource',
          warcHeaders: { 'Content-Type': 'application/http; msgtype=response' },
        },
        block([headOf(`HTTP/1.1 ${entry.status} `, entry.headers), archive.body(entry)]),
      );
      answer.warcHeaders.headers.set('WARC-Type', 'response');
      yield* serialized(answer);
      const id = answer.warcHeader('WARC-Record-ID') ?? '';
      const request = WARCRecord.create(
        {
          ...{ ...common, type: 'resource' },
          warcHeaders: { 'Content-Type': 'application/http; msgtype=request', 'WARC-Concurrent-To': id },
        },
        block([requestHead(entry), archive.requestBody(entry) ?? '']),
      );
      request.warcHeaders.headers.set('WARC-Type', 'request');
      yield* serialized(request);
    }
  }
  // As resources the blocks go out to the byte: of responses warcio writes headers as UTF-8, and only one of each name.
  async function* serialized(record: InstanceType<typeof WARCRecord>): AsyncGenerator<Uint8Array> {
    yield await WARCSerializer.serialize(record, { gzip: true });
  }
  await pipeline(Readable.from(records()), createWriteStream(file, { flags: 'wx' }));
}

function headOf(first: string, headers: readonly (readonly [string, string])[]): string {
  return `${first}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function requestHead(entry: ArchiveEntry): string {
  const { method, path, query, host, range, requestType, vary } = entry;
  const headers: [string, string][] = [['Host', host], ...Object.entries(vary)];
  if (range !== '') headers.push(['Range', range]);
  if (requestType !== '') headers.push(['Content-Type', requestType]);
  return headOf(`${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1`, headers);
}
