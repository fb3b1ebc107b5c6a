import type { FoundAnswer } from '../../src/core/model/raw-trial.ts';
import { entryKey, type ArchiveEntry } from '../archive/archive-index.ts';
import { headerOf } from '../archive/headers.ts';
import { bodyPairs, type BodyPairs } from './body-pairs.ts';
import { isVolatile, shapeOfPair, shapeOfPath } from './made-up-values.ts';

export interface RequestToMatch {
  readonly method: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly query: string;
  /** Whether its address ends with a question mark and no query. */
  readonly hasBareQuery: boolean;
  readonly range: string;
  /** SHA-256 of the body; null: none. */
  readonly requestBody: string | null;
  readonly body: Uint8Array | null;
  /** Value of a header of the request by lower-case name, secrets replaced; empty: it has none. */
  header(name: string): string;
}

export interface Match {
  readonly entry: ArchiveEntry;
  /** How well it fits, see `foundAnswers`. */
  readonly kind: Exclude<FoundAnswer, 'lacking' | 'miss'>;
}

/** Share of equal pairs from which another request to the same path may be answered. */
const minOverlap = 0.5;
/** What browsers differ in by themselves, whatever the page asks for. */
const browsersOwn =
  /^(accept|accept-encoding|accept-language|user-agent|sec-|dpr$|viewport-|save-data$|device-memory$|rtt$|ect$|downlink$|upgrade-insecure-requests$|priority$)/;

/** Everything that was recorded for one request, in order, of the first load that asked it. */
interface Sequence {
  readonly entries: readonly ArchiveEntry[];
  readonly pairs: BodyPairs;
  next: number;
}

type Closeness = 'exact' | 'same-query' | 'volatile-query' | 'overlap';

/**
 * Answers requests out of an archive's entries. In this order: the same request; the same but for the order of its
 * query; the same but for volatile keys and values of query and body; of the requests to the same path the one
 * with the best overlap of pairs, from half of them on; and the only one that differs in nothing but values, or parts of
 * the path that a script asks for, that may be made up anew in each load. Among those the headers that `Vary` names decide, and the
 * answers of one request come in the order in which they were recorded.
 */
export class RequestMatcher {
  readonly #byPath = new Map<string, Sequence[]>();
  /** By paths without the parts that may be made up. */
  readonly #byShape: ReadonlyMap<string, readonly Sequence[]>;
  readonly #ports = new Map<string, Set<number>>();

  /** @param sentBody body that was sent with an entry's request, null where it is not known */
  constructor(
    recorded: readonly ArchiveEntry[],
    sentBody: (entry: ArchiveEntry) => Uint8Array | null = () => null,
  ) {
    const entries = recorded.map((entry) => ({ ...entry, query: canonicalEscapes(entry.query) }));
    for (const same of Map.groupBy(entries, entryKey).values()) {
      const firstVisit = Math.min(...same.map(({ visit }) => visit));
      const ofVisit = same.filter(({ visit }) => visit === firstVisit).sort((a, b) => a.startMs - b.startMs);
      const [first] = ofVisit;
      if (first === undefined) continue;
      const pairs = bodyPairs(sentBody(first), first.requestType);
      const path = pathKey(first);
      const sequences = this.#byPath.get(path) ?? [];
      sequences.push({ entries: ofVisit, pairs, next: 0 });
      this.#byPath.set(path, sequences);
      this.#ports.set(first.host, (this.#ports.get(first.host) ?? new Set()).add(portOverTls(first)));
    }
    const all = [...this.#byPath].flatMap(([path, sequences]) =>
      sequences.map((sequence) => ({ shape: shapeOfPath(path), sequence })),
    );
    const byShape = Map.groupBy(all, ({ shape }) => shape);
    this.#byShape = new Map([...byShape].map(([shape, of]) => [shape, of.map(({ sequence }) => sequence)]));
  }

  /** A new load begins: every sequence starts again. */
  restart(): void {
    for (const sequences of this.#byPath.values()) for (const sequence of sequences) sequence.next = 0;
  }

  match(asked: RequestToMatch): Match | null {
    const request = { ...asked, query: canonicalEscapes(asked.query) };
    const path = pathKey(request);
    const found = this.#closestOf(this.#byPath.get(path) ?? [], request) ?? this.#ofShape(path, request);
    if (found === null) return null;
    const { sequence, sameVary } = bestVariant(found.sequences, request);
    return taken(sequence, found.closeness, sameVary);
  }

  /** The whole answer from which a range can be cut that was not asked for when recording. */
  matchWhole(request: RequestToMatch): ArchiveEntry | null {
    const whole = this.match({ ...request, range: '' });
    if (whole?.kind !== 'exact' || whole.entry.status !== 200) return null;
    return headerOf(whole.entry.headers, 'content-encoding') === undefined ? whole.entry : null;
  }

  #closestOf(sequences: readonly Sequence[], request: RequestToMatch): Closest | null {
    const fitting = sequences.filter(
      (sequence) => sequence.entries[0]?.range === request.range && this.#hasPort(sequence, request),
    );
    return closest(preferHttps(fitting), request);
  }

  /** What a script asks for at a path of its making; scripts, styles and pages have names that say what they are. */
  #ofShape(path: string, request: RequestToMatch): Closest | null {
    const shape = shapeOfPath(path);
    if (this.#byPath.has(path) || shape === path || request.header('sec-fetch-dest') !== 'empty') return null;
    const found = this.#closestOf(this.#byShape.get(shape) ?? [], request);
    return found !== null && saysOneThing(found.sequences)
      ? { sequences: found.sequences, closeness: 'overlap' }
      : null;
  }

  /** A host that was recorded on one port only is the same one wherever it is served. */
  #hasPort({ entries: [first] }: Sequence, request: RequestToMatch): boolean {
    return (first && portOverTls(first)) === request.port || this.#ports.get(request.host)?.size === 1;
  }
}

/** What was recorded over plain http is replayed over TLS. */
function portOverTls({ scheme, port }: ArchiveEntry): number {
  return scheme === 'http' && port === 80 ? 443 : port;
}

function pathKey({ method, host, path }: { method: string; host: string; path: string }): string {
  return [method, host, canonicalEscapes(path)].join(' ');
}

/**
 * A path or a query with one spelling for each character: browsers, and servers in front, differ in what they escape (`|`,
 * `^`, `'`, and letters of no need). RFC 3986, 6.2.2: escapes in upper case, none for unreserved characters.
 */
export function canonicalEscapes(text: string): string {
  const escaped = (letter: string): string =>
    `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return text
    .replaceAll(/%[0-9a-f]{2}/gi, (code) => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(letter) ? letter : code.toUpperCase();
    })
    .replaceAll(/["'<>[\\\]^`{|}]/g, escaped);
}

function preferHttps(sequences: readonly Sequence[]): readonly Sequence[] {
  const secure = sequences.filter(({ entries: [first] }) => first?.scheme === 'https');
  return secure.length > 0 ? secure : sequences;
}

interface Closest {
  readonly sequences: readonly Sequence[];
  readonly closeness: Closeness;
}

function closest(candidates: readonly Sequence[], request: RequestToMatch): Closest | null {
  const keep = (
    closeness: Closeness,
    fits: (first: ArchiveEntry, sequence: Sequence) => boolean,
  ): Closest | null => {
    const sequences = candidates.filter((sequence) => {
      const [first] = sequence.entries;
      return first !== undefined && fits(first, sequence);
    });
    return sequences.length > 0 ? { sequences, closeness } : null;
  };
  const sameBody = (first: ArchiveEntry): boolean => first.requestBody === request.requestBody;
  const sameQuery = (first: ArchiveEntry): boolean => first.query === request.query && sameBody(first);
  const isBare = ({ bareQuery }: ArchiveEntry): boolean => (bareQuery === true) === request.hasBareQuery;
  // Archives of before do not tell a bare question mark from none.
  const exact = keep('exact', (first) => sameQuery(first) && isBare(first)) ?? keep('exact', sameQuery);
  if (exact !== null || candidates.length === 0) return exact;
  const sent = bodyPairs(request.body, request.header('content-type'));
  // The boundary between parts is made at random and says nothing.
  const sameParts = keep(
    'exact',
    (first, { pairs }) =>
      first.query === request.query &&
      isMultipart(first.requestType) &&
      pairs.pairs.length > 0 &&
      pairs.pairs.join('\n') === sent.pairs.join('\n'),
  );
  if (sameParts !== null) return sameParts;
  const query = sorted(request.query.split('&'));
  const ordered = keep('same-query', (first) => sorted(first.query.split('&')) === query && sameBody(first));
  if (ordered !== null) return ordered;
  const steady = steadyOf(request.query, sent);
  const same = keep(
    'volatile-query',
    (first, { pairs }) =>
      steadyOf(first.query, pairs) === steady &&
      (sameBody(first) || isComparable(first, pairs, request, sent)),
  );
  if (same === null) return bestOverlap(candidates, request, sent);
  // Where that leaves several with unlike answers, as for two users' tokens, any of them is a guess.
  return saysOneThing(same.sequences) ? same : { ...same, closeness: 'overlap' };
}

function isMultipart(contentType: string): boolean {
  return /^multipart\//i.test(contentType);
}

function saysOneThing(sequences: readonly Sequence[]): boolean {
  return new Set(sequences.map(({ entries }) => entries.map(({ body }) => body).join())).size <= 1;
}

/** Bodies that can be taken apart are told by their pairs; of others nothing is known. */
function isComparable(
  first: ArchiveEntry,
  pairs: BodyPairs,
  request: RequestToMatch,
  sent: BodyPairs,
): boolean {
  if ((first.requestBody === null) !== (request.requestBody === null)) return false;
  return pairs.pairs.length > 0 && sent.pairs.length > 0;
}

function steadyOf(query: string, body: BodyPairs): string {
  const steady = (pairs: readonly string[]): string => sorted(pairs.filter((pair) => !isVolatile(pair)));
  return `${steady(query.split('&'))} ${steady(body.pairs)}`;
}

function sorted(pairs: readonly string[]): string {
  return [...pairs].sort().join('&');
}

function bestOverlap(
  candidates: readonly Sequence[],
  request: RequestToMatch,
  sent: BodyPairs,
): Closest | null {
  const wanted = [...request.query.split('&').filter((pair) => pair !== ''), ...sent.pairs];
  const operations = sorted(sent.operations);
  let best: { sequence: Sequence; share: number } | null = null;
  for (const sequence of candidates) {
    const [first] = sequence.entries;
    if (first === undefined || (first.requestBody === null) !== (request.requestBody === null)) continue;
    if (sorted(sequence.pairs.operations) !== operations && sequence.pairs.pairs.length > 0) continue;
    const has = new Set([...first.query.split('&').filter((pair) => pair !== ''), ...sequence.pairs.pairs]);
    const equal = wanted.filter((pair) => has.has(pair)).length;
    const share = equal / Math.max(1, wanted.length, has.size);
    if (share >= minOverlap && share > (best?.share ?? 0)) best = { sequence, share };
  }
  if (best !== null) return { sequences: [best.sequence], closeness: 'overlap' };
  return (
    onlyShape(candidates, request, sent) ??
    bodyNotHeld(candidates, request) ??
    onlyAnswer(candidates, request, sent)
  );
}

/** The one request, or those of one answer, that differ only in values that may be made up anew in each load. */
function onlyShape(
  candidates: readonly Sequence[],
  request: RequestToMatch,
  sent: BodyPairs,
): Closest | null {
  const shape = shapeOf(request.query, sent);
  const same = candidates.filter(({ entries: [first], pairs }) => {
    if (first === undefined || (first.requestBody === null) !== (request.requestBody === null)) return false;
    return shapeOf(first.query, pairs) === shape;
  });
  const isEmpty = request.query === '' && sent.pairs.length === 0;
  return isEmpty || same.length === 0 || !saysOneThing(same)
    ? null
    : { sequences: same.slice(0, 1), closeness: 'overlap' };
}

function shapeOf(query: string, { pairs, operations }: BodyPairs): string {
  const shaped = (pair: string): string => (operations.includes(pair) ? pair : shapeOfPair(pair));
  return `${sorted(query.split('&').map(shaped))} ${sorted(pairs.map(shaped))}`;
}

/** Files of other recorders may say of what type a body was, and lack it: its answers come in their order. */
function bodyNotHeld(candidates: readonly Sequence[], request: RequestToMatch): Closest | null {
  if (request.requestBody === null) return null;
  const same = candidates.filter(
    ({ entries: [first] }) =>
      first !== undefined &&
      first.requestBody === null &&
      first.requestType !== '' &&
      first.query === request.query,
  );
  return same.length === 0 ? null : { sequences: same, closeness: 'overlap' };
}

/** What is no text is answered where everything that was sent there got the same answer. */
function onlyAnswer(
  candidates: readonly Sequence[],
  request: RequestToMatch,
  sent: BodyPairs,
): Closest | null {
  const entries = candidates.flatMap((sequence) => sequence.entries);
  const answers = new Set(entries.map(({ status, body }) => `${status} ${body}`));
  const unread = request.requestBody !== null && sent.pairs.length === 0;
  const sameQuery = entries.every(
    ({ query, requestBody }) => query === request.query && requestBody !== null,
  );
  if (!unread || answers.size !== 1 || !sameQuery) return null;
  return { sequences: candidates.slice(0, 1), closeness: 'overlap' };
}

interface Variant {
  readonly sequence: Sequence;
  readonly sameVary: 'same' | 'other-browser' | 'other-headers';
}

/** Of the recorded variants the one whose headers are the request's; else the one that differs the least. */
function bestVariant(sequences: readonly Sequence[], request: RequestToMatch): Variant {
  // A script may make a cookie at random: where one variant was recorded, none was chosen by it.
  const isOwn = (name: string): boolean =>
    browsersOwn.test(name) || (name === 'cookie' && sequences.length === 1);
  const scored = sequences.map((sequence) => {
    const differing = Object.entries(sequence.entries[0]?.vary ?? {})
      .filter(([name, value]) => request.header(name) !== value)
      .map(([name]) => name);
    return { sequence, differing, foreign: differing.filter((name) => !isOwn(name)).length };
  });
  const [best] = scored.sort((a, b) => a.foreign - b.foreign || a.differing.length - b.differing.length);
  const { sequence, differing = [], foreign = 0 } = best ?? {};
  if (sequence === undefined) throw new RangeError('no recorded answers to choose from');
  if (differing.length === 0) return { sequence, sameVary: 'same' };
  return { sequence, sameVary: foreign > 0 ? 'other-headers' : 'other-browser' };
}

function taken(sequence: Sequence, closeness: Closeness, sameVary: Variant['sameVary']): Match | null {
  const { entries } = sequence;
  const entry = entries[Math.min(sequence.next, entries.length - 1)];
  if (entry === undefined) return null;
  const isBeyond = sequence.next >= entries.length && differ(entries);
  sequence.next += 1;
  // The least certain of what is known of it.
  if (closeness === 'overlap') return { entry, kind: 'overlap' };
  if (sameVary === 'other-headers') return { entry, kind: 'other-headers' };
  if (closeness !== 'exact') return { entry, kind: closeness };
  if (isBeyond) return { entry, kind: 'after-last' };
  return { entry, kind: sameVary === 'same' ? 'exact' : 'other-browser' };
}

/** Whether the answers of one request changed in the course of the recording. */
function differ(entries: readonly ArchiveEntry[]): boolean {
  return new Set(entries.map(({ status, body, failure }) => `${status} ${body} ${failure}`)).size > 1;
}
