import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { ArchiveIndex } from '../archive/archive-index.ts';
import { cleanExchange } from '../archive/clean-exchange.ts';
import { storable } from '../archive/storable.ts';
import { writeArchive, type RecordedExchange } from '../archive/write-archive.ts';
import { parseHead, parseHttpAnswer } from './parse-http-answer.ts';

export interface ImportWarcOptions {
  /** `.warc` or `.warc.gz`. */
  readonly warcFile: string;
  /** The archive's folder; must not exist. */
  readonly outDir: string;
  /** Keep cookies, credentials and tokens. Default no. */
  readonly keepSecrets?: boolean;
}

export interface ImportedWarc {
  readonly index: ArchiveIndex;
  /** Addresses whose record holds no answer that can be replayed. */
  readonly skipped: readonly string[];
}

/** One record: its headers by lower-case name, and its block. */
interface WarcRecord {
  readonly headers: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

/**
 * Makes an archive of the answers in a WARC file (ISO 28500): bodies keep their coding, chunks are put together.
 * Methods, ranges and request bodies come from the request records, where there are any.
 *
 * @throws H2h3Error `bad-input` for a file that is no WARC, is cut short or holds no answers.
 */
export async function importWarc(options: ImportWarcOptions): Promise<ImportedWarc> {
  const records = recordsOf(await readWarc(options.warcFile), options.warcFile);
  const requests = new Map<string, WarcRecord>();
  for (const record of records) {
    const answered = record.headers.get('warc-concurrent-to');
    if (record.headers.get('warc-type') === 'request' && answered !== undefined)
      requests.set(answered, record);
  }
  const responses = records.filter(({ headers }) => headers.get('warc-type') === 'response');
  const firstMs = Math.min(...responses.map(dateOf));
  const removed: Record<string, number> = {};
  const skipped: string[] = [];
  const exchanges = responses.flatMap((response): RecordedExchange[] => {
    const exchange = exchangeOf(
      response,
      requests.get(response.headers.get('warc-record-id') ?? ''),
      firstMs,
    );
    if (exchange === null) {
      skipped.push(targetOf(response));
      return [];
    }
    const cleaned = cleanExchange(exchange, options.keepSecrets ?? false);
    for (const name of cleaned.removed) removed[name] = (removed[name] ?? 0) + 1;
    return [cleaned.exchange];
  });
  const page = responses.find((response) => isPage(response)) ?? responses[0];
  const kept = storable(exchanges);
  skipped.push(...kept.refused);
  if (page === undefined || kept.exchanges.length === 0) throw notUsable(options.warcFile, 'no answer');
  const head = {
    urls: [targetOf(page)],
    recordedAt: new Date(firstMs).toISOString(),
    recorder: `WARC ${softwareOf(records)}`.trim(),
    complete: true,
    removed,
  };
  return { index: await writeArchive(options.outDir, head, kept.exchanges), skipped };
}

async function readWarc(file: string): Promise<Buffer> {
  try {
    const content = await readFile(file);
    // Each record may be compressed by itself; Node reads them all.
    return content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content;
  } catch (cause) {
    throw notUsable(file, messageOf(cause));
  }
}

function recordsOf(content: Buffer, file: string): WarcRecord[] {
  const records: WarcRecord[] = [];
  for (let position = 0; position < content.length;) {
    if (content[position] === 0x0d || content[position] === 0x0a) {
      position += 1;
      continue;
    }
    const { first, headers, rest } = parseHead(content.subarray(position));
    const byName = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
    const length = Number(byName.get('content-length') ?? NaN);
    if (!first.startsWith('WARC/') || !Number.isInteger(length))
      throw notUsable(file, `"${first.slice(0, 60)}" at byte ${position}`);
    if (rest.length < length) throw notUsable(file, `a record that is cut short at byte ${position}`);
    records.push({ headers: byName, block: rest.subarray(0, length) });
    position = content.length - rest.length + length;
  }
  return records;
}

function exchangeOf(
  response: WarcRecord,
  request: WarcRecord | undefined,
  firstMs: number,
): RecordedExchange | null {
  const target = targetOf(response);
  const answer = parseHttpAnswer(response.block);
  if (answer === null || answer.status < 200 || !/^https?:/.test(target) || !URL.canParse(target))
    return null;
  const url = new URL(target);
  const asked = request === undefined ? null : parseHead(request.block);
  return {
    entry: {
      method: asked?.first.split(' ')[0] ?? 'GET',
      host: url.hostname,
      path: url.pathname,
      query: url.search.slice(1),
      range: asked?.headers.find(([name]) => name.toLowerCase() === 'range')?.[1] ?? '',
      status: answer.status,
      headers: answer.headers.map(([name, value]) => [name, value]),
      startMs: Math.max(0, dateOf(response) - firstMs),
      // A WARC file has no times of the answer.
      waitMs: 0,
    },
    requestBody: asked !== null && asked.rest.length > 0 ? asked.rest : null,
    body: answer.body,
  };
}

/** Some writers put the address between angle brackets. */
function targetOf({ headers }: WarcRecord): string {
  return (headers.get('warc-target-uri') ?? '').replace(/^<|>$/g, '');
}

function dateOf({ headers }: WarcRecord): number {
  const epochMs = Date.parse(headers.get('warc-date') ?? '');
  return Number.isNaN(epochMs) ? 0 : epochMs;
}

function isPage(response: WarcRecord): boolean {
  const answer = parseHttpAnswer(response.block);
  const type = answer?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return answer?.status === 200 && type.includes('html') && targetOf(response).startsWith('https:');
}

function softwareOf(records: readonly WarcRecord[]): string {
  const info = records.find(({ headers }) => headers.get('warc-type') === 'warcinfo');
  return /^software:\s*([^\r\n<>]{1,80})/m.exec(info?.block.toString('utf8') ?? '')?.[1] ?? '';
}

function notUsable(file: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', `${file} is not a WARC file with answers`, {
    context: { file, expected: 'WARC records of type response', got },
    next: 'See that it is whole (.warc or .warc.gz), or record the site with `h2h3 record`.',
  });
}
