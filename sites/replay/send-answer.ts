import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ArchiveEntry } from '../archive/archive-index.ts';
import type { Header } from '../archive/headers.ts';
import { headersOfUnchanged, isUnchanged, movedHeaders, type Clock } from './answer-times.ts';

/** With this header in its answer an origin asks the server in front to break the exchange off, as the recorded server did. */
const abortHeader = 'x-h2h3-abort';
/** Of no meaning to anyone else. */
export const abortStatus = 599;
/** A header that the server in front would replace by its own, under the name by which it hands it on. */
const handedVia = 'x-h2h3-via';
export const timingAllowOrigin = 'timing-allow-origin';
/** Longer than any page waits: its asker has forgotten it. */
const maxHoldMs = 120_000;

export interface AnswerToSend {
  readonly entry: ArchiveEntry;
  readonly body: Uint8Array;
  readonly recordedEpochMs: number;
  readonly clock: Clock;
  /** Changes the headers last, for what the way of replaying makes necessary. */
  readonly adapt?: (headers: readonly Header[]) => readonly Header[];
}

/** Sends a recorded answer: its hints, its headers moved to the present, its body with the pauses that the server made. */
export async function sendAnswer(
  answer: AnswerToSend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { entry, body } = answer;
  if (entry.status === 0) return unanswered(entry, response);
  const headers = movedHeaders(entry.headers, answer.recordedEpochMs, answer.clock);
  const adapted = answer.adapt?.(headers) ?? headers;
  for (const hints of entry.hints) sendHints(hints, response);
  response.sendDate = false;
  if (isUnchanged(entry, headers, conditionsOf(request))) {
    response.writeHead(304, handed(headersOfUnchanged(adapted)));
    response.end();
    return;
  }
  const hasNoBody = request.method === 'HEAD' || entry.status === 204 || entry.status === 304;
  response.writeHead(entry.status, handed([...withoutLength(adapted), ...lengthOf(answer, hasNoBody)]));
  if (hasNoBody) return void response.end();
  if (entry.pauses.length === 0 && entry.failure === null) return void response.end(body);
  await sendInParts(answer, response);
}

/** The part of a whole answer that `Range` asks for; false where it asks for several or for none that there is. */
export function sendPart(answer: AnswerToSend, range: string, response: ServerResponse): boolean {
  const { entry, body } = answer;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === '' && to === '') return false;
  const start = from === '' ? Math.max(0, body.length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? body.length - 1 : Math.min(Number(to), body.length - 1);
  if (start > end) return false;
  const headers = movedHeaders(entry.headers, answer.recordedEpochMs, answer.clock);
  response.sendDate = false;
  response.writeHead(
    206,
    handed([
      ...withoutLength(headers),
      ['content-range', `bytes ${start}-${end}/${body.length}`],
      ['content-length', String(end - start + 1)],
    ]),
  );
  response.end(body.subarray(start, end + 1));
  return true;
}

function unanswered(entry: ArchiveEntry, response: ServerResponse): void {
  if (entry.failure === 'aborted') return hold(response);
  response.writeHead(abortStatus, { [abortHeader]: '1' }).end();
}

/** Until the page gives up, as it did when recorded. */
function hold(response: ServerResponse): void {
  const end = setTimeout(() => response.destroy(), maxHoldMs);
  response.once('close', () => clearTimeout(end));
}

async function sendInParts({ entry, body }: AnswerToSend, response: ServerResponse): Promise<void> {
  // Sends the headers now, a byte a character: `flushHeaders` would write those beyond ASCII as UTF-8.
  response.write('', 'latin1');
  let sent = 0;
  for (const [afterBytes, pauseMs] of entry.pauses) {
    const end = Math.min(Math.max(sent, afterBytes), body.length);
    if (end > sent) response.write(body.subarray(sent, end));
    sent = end;
    await wait(pauseMs);
    if (response.destroyed) return;
  }
  if (entry.failure === null) return void response.end(body.subarray(sent));
  if (sent < body.length) response.write(body.subarray(sent));
  if (entry.failure === 'aborted') hold(response);
  // What was written must be on its way before the connection is broken off.
  else setTimeout(() => response.destroy(), 50);
}

/** Node sends links of this form only, one a value, and throws for others. */
const hintedLink = /^<[^>]*>(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;

function sendHints(hints: readonly Header[], response: ServerResponse): void {
  const byName: Record<string, string[]> = {};
  for (const [name, values] of Map.groupBy(hints, ([each]) => each.toLowerCase()))
    byName[name] = values.map(([, value]) => value);
  const { link = [], ...others } = byName;
  const links = link.flatMap((value) => value.split(/\s*,\s*(?=<)/)).filter((hint) => hintedLink.test(hint));
  if (links.length > 0) response.writeEarlyHints({ ...others, link: links });
}

function conditionsOf(request: IncomingMessage): Parameters<typeof isUnchanged>[2] {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers;
  return { ifNoneMatch, ifModifiedSince };
}

function withoutLength(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => name.toLowerCase() !== 'content-length');
}

/** Of an answer that broke off the length that was promised, so that what is missing is missed. */
function lengthOf({ entry, body }: AnswerToSend, hasNoBody: boolean): Header[] {
  const promised = entry.headers.filter(([name]) => name.toLowerCase() === 'content-length');
  if (entry.failure !== null || (hasNoBody && body.length === 0)) return promised.slice(0, 1);
  const streamed = entry.pauses.length > 0 && promised.length === 0;
  return streamed ? [] : [['content-length', String(body.length)]];
}

/**
 * Node takes headers as a flat list, which keeps repeats. Every page may read the protocol and the sizes of every object, whatever
 * the recorded server or the app let it: they are proofs of the trial.
 */
export function handed(headers: readonly Header[]): string[] {
  const own = headers.filter(([name]) => name.toLowerCase() !== timingAllowOrigin);
  const sent = own.flatMap(([name, value]) => [name.toLowerCase() === 'via' ? handedVia : name, value]);
  return [...sent, timingAllowOrigin, '*'];
}
