import { isUtf8 } from 'node:buffer';
import { jsonOf, parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { queryOf } from '../archive/address-of.ts';
import { varyOf } from '../archive/clean-exchange.ts';
import { decodeBody, encodeBody } from '../archive/content-coding.ts';
import { headerOf, leadsOn } from '../archive/headers.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';
import {
  extensionType,
  readExchangeExtension,
  readHeadExtension,
  type ExchangeExtension,
  type HeadExtension,
} from './archive-extension.ts';
import { parseHead, parseHttpAnswer, type HttpAnswer } from './parse-http-answer.ts';
import { noWarc, readWarc, type WarcRecord } from './read-warc.ts';
import { SentBodies } from './sent-bodies.ts';
import { readDate, settledDates } from './settled-dates.ts';
import type { ImportedExchange } from './start-address.ts';
import {
  notFinal,
  notHttp,
  storeImported,
  type ImportChoices,
  type Imported,
  type LeftOut,
} from './store-imported.ts';

export interface ImportWarcOptions extends ImportChoices {
  /** `.warc` or `.warc.gz`. */
  readonly warcFile: string;
  readonly signal: AbortSignal;
}

/**
 * Makes an archive of the answers in a WARC file (ISO 28500): responses, resources, and revisits of either. Bodies keep
 * their coding, chunks are put together. Methods, ranges and request bodies come from the request records, where there
 * are any.
 *
 * @throws H2h3Error `bad-input` for a file that is no WARC, is cut short or holds no answers.
 */
export async function importWarc(options: ImportWarcOptions): Promise<Imported> {
  const records = wholeRecords(await readWarc(options.warcFile, options.signal));
  const answers = new Answers(records);
  const holders = records.filter(isHolder);
  const requests = requestsByAnswer(records, holders);
  const extension = new Extensions(records);
  const unanswered = extension.requestsBut(new Set(requests.values()));
  const ofExchanges = records.filter((record) => isHolder(record) || unanswered.has(record));
  const dates = settledDates(
    ofExchanges.map((record) => ({
      address: targetOf(record),
      date: record.headers.get('warc-date') ?? '',
    })),
  );
  const leftOut: LeftOut[] = [];
  const sent = new SentBodies();
  const asWritten = ofExchanges.flatMap((record, at): ImportedExchange[] => {
    const answer = unanswered.has(record) ? noAnswer : answers.of(record);
    const request = unanswered.has(record) ? record : requests.get(record);
    const own = extension.of(request);
    const startMs = (dates.epochMs[at] ?? dates.firstMs) - dates.firstMs;
    const exchange =
      typeof answer === 'string' ? answer : exchangeOf({ record, answer, request, own, startMs, sent });
    if (typeof exchange !== 'string') return [exchange];
    leftOut.push({ url: targetOf(record), reason: exchange });
    return [];
  });
  const exchanges = await Promise.all(asWritten.map(inItsCoding));
  const imported = await storeImported(options, {
    file: options.warcFile,
    exchanges,
    firstMs: dates.firstMs,
    recorder: `WARC ${softwareOf(records)}`.trim(),
    failures: [],
    lacks: [],
    extension: extension.head,
    leftOut,
    warnings: [...dates.warnings, ...truncatedWarning(ofExchanges)],
  });
  if (imported === undefined) throw noWarc(options.warcFile, 'no answer');
  return imported;
}

/** Records with the blocks of those that continue them (ISO 28500, "continuation"). */
function wholeRecords(records: readonly WarcRecord[]): readonly WarcRecord[] {
  const isPart = (record: WarcRecord): boolean => typeOf(record) === 'continuation';
  const numberOf = ({ headers }: WarcRecord): number => Number(headers.get('warc-segment-number'));
  const parts = Map.groupBy(
    records.filter(isPart).toSorted((a, b) => numberOf(a) - numberOf(b)),
    ({ headers }) => headers.get('warc-segment-origin-id') ?? '',
  );
  return records
    .filter((record) => !isPart(record))
    .map((record) => {
      const more = parts.get(idOf(record)) ?? [];
      return { ...record, block: Buffer.concat([record, ...more].map(({ block }) => block)) };
    });
}

const noAnswer: HttpAnswer = { status: 0, headers: [], body: Buffer.alloc(0) };

/** What the export of an archive says besides what WARC has a place for; of other files nothing. */
class Extensions {
  readonly head: HeadExtension | null;
  readonly #byRequestId = new Map<string, ExchangeExtension>();
  readonly #records: readonly WarcRecord[];

  constructor(records: readonly WarcRecord[]) {
    this.#records = records;
    const own = records.filter(({ headers }) => headers.get('content-type') === extensionType);
    const [first] = own.filter((record) => concurrentTo(record).length === 0);
    this.head = first === undefined ? null : readHeadExtension(contentOf(first));
    for (const record of own) {
      const of = readExchangeExtension(contentOf(record));
      for (const id of concurrentTo(record)) if (of !== null) this.#byRequestId.set(id, of);
    }
  }

  of(request: WarcRecord | undefined): ExchangeExtension | undefined {
    return request && this.#byRequestId.get(idOf(request));
  }

  /** Requests that were never answered: those of which it says something, but these. */
  requestsBut(answered: ReadonlySet<WarcRecord>): ReadonlySet<WarcRecord> {
    const known = this.#records.filter((record) => this.#byRequestId.has(idOf(record)));
    return new Set(known.filter((record) => !answered.has(record)));
  }
}

// What is no JSON is none of ours.
const contentOf = ({ block }: WarcRecord): unknown => jsonOf(block.toString('utf8'), parseForeignJson);

const noHttpAnswer = 'the record is no HTTP answer';
const lostRevisit = 'a revisit of an answer that the file does not hold';
const notModified = 'a 304 is no answer for a browser without a cache';

interface Original {
  readonly answer: HttpAnswer;
  readonly digest: string | undefined;
  readonly atEpochMs: number | null;
}

/** The answers of a file's records, those of revisits with the content of what they refer to. */
class Answers {
  readonly #byId = new Map<string, Original>();
  readonly #byTarget = new Map<string, Original[]>();
  /** Of answers with content: the digest of nothing says nothing of what an answer is. */
  readonly #byDigest = new Map<string, Original>();

  constructor(records: readonly WarcRecord[]) {
    for (const record of records) {
      const answer = typeOf(record) === 'revisit' ? lostRevisit : this.of(record);
      if (typeof answer === 'string' || answer.status === 304) continue;
      const digest = digestOf(record);
      const original = { answer, digest, atEpochMs: readDate(record.headers.get('warc-date') ?? '') };
      const target = targetOf(record);
      this.#byId.set(idOf(record), original);
      this.#byTarget.set(target, [...(this.#byTarget.get(target) ?? []), original]);
      if (digest !== undefined && answer.body.length > 0 && !this.#byDigest.has(digest))
        this.#byDigest.set(digest, original);
    }
  }

  /** Or the reason why there is none. */
  of(record: WarcRecord): HttpAnswer | string {
    switch (typeOf(record)) {
      case 'response':
        return parseHttpAnswer(record.block) ?? noHttpAnswer;
      case 'resource': {
        const type = record.headers.get('content-type') ?? 'application/octet-stream';
        return { status: 200, headers: [['Content-Type', type]], body: record.block };
      }
      case 'revisit':
        return this.#revisited(record);
      default:
        return noHttpAnswer;
    }
  }

  #revisited(record: WarcRecord): HttpAnswer | string {
    const own = record.block.length === 0 ? null : parseHttpAnswer(record.block);
    const original = this.#originalOf(record)?.answer;
    if (original === undefined) return own !== null && hasNoBody(own) ? own : lostRevisit;
    // A server that said "not modified" meant the whole answer that was there before.
    if (own === null || own.status === 304) return original;
    return { ...own, body: original.body };
  }

  /** By the record that it names, else by address and date, else by the address with this content, else by content alone. */
  #originalOf(record: WarcRecord): Original | undefined {
    const { headers } = record;
    const namedId = headers.get('warc-refers-to');
    const named = namedId === undefined ? undefined : this.#byId.get(namedId);
    if (named !== undefined) return named;
    const refersTo = headers.get('warc-refers-to-target-uri');
    const atTarget = this.#byTarget.get(withoutBrackets(refersTo ?? targetOf(record))) ?? [];
    const namedEpochMs = readDate(headers.get('warc-refers-to-date') ?? '');
    const ofDate = atTarget.find(({ atEpochMs }) => atEpochMs !== null && atEpochMs === namedEpochMs);
    if (ofDate !== undefined) return ofDate;
    const epochMs = readDate(headers.get('warc-date') ?? '') ?? Infinity;
    const latest = atTarget.findLast(({ atEpochMs }) => (atEpochMs ?? 0) <= epochMs) ?? atTarget[0];
    const digest = digestOf(record);
    const isNotModified = headers.get('warc-profile')?.endsWith('/server-not-modified') ?? false;
    const isOfAddress = isNotModified || refersTo !== undefined || digest === undefined;
    if (isOfAddress && latest !== undefined) return latest;
    const same = atTarget.findLast((each) => each.digest === undefined || each.digest === digest);
    return same ?? this.#byDigest.get(digest ?? '');
  }
}

/** Whether an answer is whole without the content that its record leaves out. */
function hasNoBody({ status, headers }: HttpAnswer): boolean {
  return status === 204 || leadsOn({ status, headers }) || headerOf(headers, 'content-length') === '0';
}

/** Requests by the record that answers them: either may name the other, and some writers name neither. */
function requestsByAnswer(
  records: readonly WarcRecord[],
  answers: readonly WarcRecord[],
): ReadonlyMap<WarcRecord, WarcRecord> {
  const requests = records.filter((record) => typeOf(record) === 'request');
  const byOwnId = new Map(requests.map((request) => [idOf(request), request]));
  const byAnswerId = new Map(requests.flatMap((request) => concurrentTo(request).map((id) => [id, request])));
  const named = new Set([...byAnswerId.values()]);
  const unnamed = Map.groupBy(
    requests.filter((request) => !named.has(request)),
    targetOf,
  );
  const found = new Map<WarcRecord, WarcRecord>();
  for (const answer of answers) {
    const request =
      byAnswerId.get(idOf(answer)) ??
      concurrentTo(answer)
        .map((id) => byOwnId.get(id))
        .find((each) => each !== undefined) ??
      unnamed.get(targetOf(answer))?.shift();
    if (request !== undefined) found.set(answer, request);
  }
  return found;
}

interface ExchangeParts {
  readonly record: WarcRecord;
  readonly answer: HttpAnswer;
  readonly request: WarcRecord | undefined;
  readonly own: ExchangeExtension | undefined;
  /** After the first request of the file. */
  readonly startMs: number;
  readonly sent: SentBodies;
}

/** Or the reason why it is none. */
function exchangeOf({
  record,
  answer,
  request,
  own,
  startMs,
  sent,
}: ExchangeParts): ImportedExchange | string {
  const target = targetOf(record);
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return notHttp;
  if (answer.status > 0 && answer.status < 200) return notFinal;
  if (answer.status === 304 && own === undefined) return notModified;
  const url = new URL(target);
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const asked = request === undefined ? null : parseHead(request.block);
  const askedHeader = (wanted: string): string | undefined =>
    asked === null ? undefined : headerOf(asked.headers, wanted);
  const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
  const method = asked?.first.split(' ')[0] ?? 'GET';
  const ownBody = asked !== null && asked.rest.length > 0 ? asked.rest : null;
  const exchange: RecordedExchange = {
    entry: {
      method,
      scheme,
      host: url.hostname,
      port: Number(url.port === '' ? { https: 443, http: 80 }[scheme] : url.port),
      path: url.pathname,
      ...queryOf(url),
      range: askedHeader('range') ?? '',
      vary: varyOf(headers, askedHeader),
      requestType: askedHeader('content-type') ?? '',
      status: answer.status,
      headers,
      startMs,
      // A WARC file has no times of the answer.
      waitMs: own?.waitMs ?? 0,
      visit: own?.visit,
      failure: own?.failure,
      hints: own?.hints,
      pauses: own?.pauses,
    },
    requestBody: sent.of({ method, url: url.href }, ownBody, answer),
    body: answer.body,
  };
  const resourceType = record.headers.get('warc-resource-type');
  return { exchange, requestHeaders: asked?.headers ?? [], resourceType };
}

/** Some crawlers store a body decoded, and the header that says how it was encoded: browsers could not read that. */
async function inItsCoding(imported: ImportedExchange): Promise<ImportedExchange> {
  const { exchange } = imported;
  const { headers, failure } = exchange.entry;
  const coding = headerOf(headers, 'content-encoding') ?? '';
  const { body } = exchange;
  if (coding === '' || body === null || body.length === 0 || (failure ?? null) !== null) return imported;
  // No coding's output is text; what was cut short is none either.
  if ((await decodeBody(body, coding)) !== null || !isUtf8(body)) return imported;
  const encoded = await encodeBody(Buffer.from(body), coding);
  return encoded === null ? imported : { ...imported, exchange: { ...exchange, body: encoded } };
}

function truncatedWarning(records: readonly WarcRecord[]): string[] {
  const cut = records.filter(({ headers }) => headers.has('warc-truncated')).map(targetOf);
  return cut.length === 0
    ? []
    : [
        `answers that the file's writer cut short: ${cut.length}, replayed as far as they go: ${cut.join(', ')}`,
      ];
}

function isHolder(record: WarcRecord): boolean {
  return ['response', 'resource', 'revisit'].includes(typeOf(record));
}

function typeOf({ headers }: WarcRecord): string {
  return headers.get('warc-type') ?? '';
}

function idOf({ headers }: WarcRecord): string {
  return headers.get('warc-record-id') ?? '';
}

function concurrentTo({ headers }: WarcRecord): string[] {
  const ids = (headers.get('warc-concurrent-to') ?? '').split(',').map((id) => id.trim());
  return ids.filter((id) => id !== '');
}

/** Writers differ in the case of its algorithm and digits. */
function digestOf({ headers }: WarcRecord): string | undefined {
  return headers.get('warc-payload-digest')?.toLowerCase();
}

/** Some writers put the address between angle brackets. */
function targetOf({ headers }: WarcRecord): string {
  return withoutBrackets(headers.get('warc-target-uri') ?? '');
}

function withoutBrackets(address: string): string {
  return address.replace(/^<|>$/g, '');
}

function softwareOf(records: readonly WarcRecord[]): string {
  const info = records.find((record) => typeOf(record) === 'warcinfo');
  return /^software:\s*([^\r\n<>]{1,80})/m.exec(info?.block.toString('utf8') ?? '')?.[1] ?? '';
}
