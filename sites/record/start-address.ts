import { H2h3Error } from '../../src/core/model/errors.ts';
import { addressOf as addressOfEntry } from '../archive/address-of.ts';
import { headerOf, leadsOn } from '../archive/headers.ts';
import type { AskedExchange } from './preflights.ts';

/** An exchange of an imported file, with what the file says of it and an archive has no place for. */
export interface ImportedExchange extends AskedExchange {
  /** What the browser asked for, such as `document` or `image`; undefined: the file does not say. */
  readonly resourceType?: string | undefined;
  readonly page?: PageOfFile | undefined;
}

/** The page of a HAR to which an exchange belongs. */
export interface PageOfFile {
  /** Its turn among the file's pages, from 0. */
  readonly turn: number;
  /** Browsers give their pages the address as title. */
  readonly title: string;
}

export interface ChosenStart {
  readonly url: string;
  /** Other pages of the file, the most likely first. */
  readonly others: readonly string[];
  /** Whether the file holds a page there; without one a browser is sent to the first answer. */
  readonly isPage: boolean;
}

/**
 * Where a browser is sent to: the page that the file is about, or the first of the redirects that lead to it. One of
 * plain http is visited over TLS. Undefined where nothing was answered.
 *
 * @param wanted address that a person chose; null: none
 * @throws H2h3Error `usage` where the file holds no answer for `wanted`
 */
export function chooseStart(
  imported: readonly ImportedExchange[],
  wanted: string | null,
  file: string,
): ChosenStart | undefined {
  const asked = imported.filter(({ exchange: { entry } }) => entry.method === 'GET' && entry.status !== 0);
  const pages = [...new Set(startsOfPages(asked))];
  if (wanted !== null) return chosen(wanted, asked, pages, file);
  const [url, ...others] = pages;
  if (url !== undefined) return { url, others, isPage: true };
  const [first] = asked.length > 0 ? asked : imported;
  return first && { url: overTls(addressOf(first)), others: [], isPage: false };
}

function chosen(
  wanted: string,
  asked: readonly ImportedExchange[],
  pages: readonly string[],
  file: string,
): ChosenStart {
  const url = URL.canParse(wanted) ? overTls(withoutHash(new URL(wanted))) : '';
  if (asked.some((each) => overTls(addressOf(each)) === url))
    return { url, others: pages.filter((page) => page !== url), isPage: true };
  const [likeliest] = pages;
  throw new H2h3Error('usage', `${file} holds no answer for the --page ${wanted}`, {
    context: {
      file,
      expected: pages.length === 0 ? 'an address of the file' : pages.join(', '),
      got: wanted,
    },
    next:
      likeliest === undefined
        ? 'Leave --page out: the file holds no page.'
        : `Name one of the file's pages, such as --page ${likeliest}.`,
  });
}

/** A page of which fewer requests come, of the most that come of any, is hardly what the file was made for: a portal, a frame. */
const minShare = 0.25;

/** Addresses of pages, or of the redirects that lead to them, over TLS, the likeliest first. */
function startsOfPages(asked: readonly ImportedExchange[]): readonly string[] {
  const documents = asked.filter(isDocument);
  const redirects = Map.groupBy(asked, redirectTarget);
  // Where a file has no request's referrer, pages have what was asked of their origins.
  const isTold = asked.some((each) => referrerOf(each) !== '');
  const isPage = new Set(documents);
  const parts = asked.filter((each) => !isPage.has(each));
  const requests = isTold
    ? Map.groupBy(asked, referrerOf)
    : Map.groupBy(parts, (each) => originOf(addressOf(each)));
  const inTurn = asked.toSorted((a, b) => a.exchange.entry.startMs - b.exchange.entry.startMs);
  const turns = new Map(inTurn.map((each, turn) => [each, turn]));
  const countOf = (document: ImportedExchange): number => {
    const address = addressOf(document);
    // Requests to other origins name the origin alone.
    const names = new Set([address, originOf(address)]);
    return [...names].reduce((sum, name) => sum + (requests.get(name)?.length ?? 0), 0);
  };
  const counts = new Map(documents.map((document) => [document, countOf(document)]));
  const most = [...counts.values()].reduce((largest, count) => Math.max(largest, count), 0);
  const places = new Set(documents.map(addressOf).flatMap((address) => [address, originOf(address)]));
  /** The smaller the likelier; the first difference decides. */
  const rankOf = (document: ImportedExchange, chain: readonly ImportedExchange[]): readonly number[] => [
    Number(!chain.some(isNamedByPage)),
    kindOf(document),
    document.page?.turn ?? Infinity,
    Number(wasAskedByPage(document, places)),
    Number((counts.get(document) ?? 0) < most * minShare),
    chain[0]?.exchange.entry.startMs ?? 0,
  ];
  return documents
    .map((document) => {
      const chain = chainTo(document, redirects, turns);
      return { start: overTls(addressOf(chain[0] ?? document)), rank: rankOf(document, chain) };
    })
    .sort((a, b) => compared(a.rank, b.rank))
    .map(({ start }) => start);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
}

function isDocument(each: ImportedExchange): boolean {
  const { entry, body } = each.exchange;
  if (!mayBeDocument(each) || leadsOn(entry)) return false;
  const contentType = headerOf(entry.headers, 'content-type');
  return contentType === undefined ? beginsAsHtml(body) : /html/i.test(contentType) && !beginsAsJson(body);
}

/** By what the browser asked for, as far as the file says. */
function mayBeDocument({ resourceType, requestHeaders }: ImportedExchange): boolean {
  const type = resourceType?.toLowerCase() ?? 'other';
  const destination = headerOf(requestHeaders, 'sec-fetch-dest') ?? 'document';
  return /^(document|other)$/.test(type) && destination === 'document';
}

/** Interfaces are often answered under the type of pages. */
function beginsAsJson(body: Uint8Array | null): boolean {
  return /^(?:\xef\xbb\xbf)?\s*[[{]/.test(startOf(body));
}

function startOf(body: Uint8Array | null): string {
  return Buffer.from(body?.subarray(0, 512) ?? []).toString('latin1');
}

/** What browsers take for a page where no header says what it is. */
export function beginsAsHtml(body: Uint8Array | null): boolean {
  return /^(?:\xef\xbb\xbf)?\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype html|html|head|body|title|script|meta)\b/i.test(
    startOf(body),
  );
}

/** 0: a browser asked for it as a page; 1: it looks like one; 2: it is none that anyone visits, or an error's. */
function kindOf({ exchange: { entry }, resourceType, requestHeaders }: ImportedExchange): number {
  const isWellKnown = /^\/(?:robots\.txt|favicon\.ico|sitemap[^/]*\.xml|\.well-known\/.*)$/.test(entry.path);
  if (entry.status >= 300 || entry.status === 204 || isWellKnown) return 2;
  const isAsPage = headerOf(requestHeaders, 'sec-fetch-dest') === 'document';
  return isAsPage || resourceType?.toLowerCase() === 'document' ? 0 : 1;
}

function isNamedByPage(each: ImportedExchange): boolean {
  const title = each.page?.title ?? '';
  return URL.canParse(title) && overTls(withoutHash(new URL(title))) === overTls(addressOf(each));
}

/** A page after the redirects that lead to it, in order. */
function chainTo(
  document: ImportedExchange,
  redirects: ReadonlyMap<string, readonly ImportedExchange[]>,
  turns: ReadonlyMap<ImportedExchange, number>,
): readonly ImportedExchange[] {
  const chain = [document];
  const turnOf = (each: ImportedExchange): number => turns.get(each) ?? Infinity;
  for (let at = document; ;) {
    // What came later led back: a lost picture, say, whose server sends its askers home.
    const earlier = redirects
      .get(addressOf(at))
      ?.find((each) => !chain.includes(each) && turnOf(each) < turnOf(at) && mayBeDocument(each));
    if (earlier === undefined) return chain;
    chain.unshift(earlier);
    at = earlier;
  }
}

/** Empty where an answer leads nowhere. */
function redirectTarget(each: ImportedExchange): string {
  const { entry } = each.exchange;
  const target = leadsOn(entry) ? headerOf(entry.headers, 'location') : undefined;
  const from = addressOf(each);
  return target === undefined || !URL.canParse(target, from) ? '' : withoutHash(new URL(target, from));
}

/** A frame, where a link led, or what was fetched in case that someone goes there. */
function wasAskedByPage(each: ImportedExchange, places: ReadonlySet<string>): boolean {
  const purposes = ['sec-purpose', 'purpose'].map((name) => headerOf(each.requestHeaders, name) ?? '');
  if (purposes.some((purpose) => /prefetch|prerender/i.test(purpose))) return true;
  const referrer = referrerOf(each);
  return referrer !== '' && referrer !== addressOf(each) && places.has(referrer);
}

/** Empty where a request names none. */
function referrerOf({ requestHeaders }: ImportedExchange): string {
  const referrer = headerOf(requestHeaders, 'referer') ?? '';
  return URL.canParse(referrer) ? withoutHash(new URL(referrer)) : '';
}

function originOf(address: string): string {
  return `${new URL(address).origin}/`;
}

function addressOf({ exchange }: AskedExchange): string {
  return withoutHash(new URL(addressOfEntry(exchange.entry)));
}

/** Where an archive starts that was made over plain http: a default port becomes that of https. */
export function overTls(address: string): string {
  return address.replace(/^http:/, 'https:');
}

function withoutHash(url: URL): string {
  const [address = ''] = url.href.split('#');
  return address;
}
