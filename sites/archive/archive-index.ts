import { z } from 'zod';
import { deviceSchema } from '../../src/core/model/device.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal');
/** RFC 9110, 5.6.2: a token. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'a header name');
/** RFC 9110, 5.5: no control characters but the tab, which could start another header, and nothing beyond one byte. */
const headerValue = z
  .string()
  .refine(
    (value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    'a header value on one line, a byte a character',
  );
const header = z.tuple([headerName, headerValue]);

/** Whether an archive can hold a header: one that HTTP/2 and HTTP/3 can carry. */
export function isStorableHeader(given: readonly [string, string]): boolean {
  return header.safeParse(given).success;
}

const moment = z.number().nonnegative();

export const archiveEntrySchema = z.object({
  /** Number of the load in which it was asked for, from 0; a replayed load takes its answers from the first that has any. */
  visit: z.number().int().nonnegative().default(0),
  method: z.string().regex(/^[A-Z]{1,20}$/, 'a method'),
  /** `http`: is replayed over TLS all the same, where no https answer has its place. */
  scheme: z.enum(['https', 'http']).default('https'),
  /** Underscores are no host names by RFC 1123, and are in use all the same. */
  host: z.string().regex(/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/, 'a host name in lower case'),
  port: z.number().int().min(1).max(65_535).default(443),
  /** As sent, percent-encoded, with leading slash and without query. */
  path: z.string().regex(/^\/[^\s?#]*$/, 'a path'),
  /** As sent, without question mark; empty: none. */
  query: z.string().regex(/^[^\s#]*$/, 'a query'),
  /** That the address ends with a question mark and no query, which is another address than one without. */
  bareQuery: z.literal(true).optional(),
  /** `Range` of the request; empty: none. */
  range: z.string(),
  /** Values of the request's headers that `Vary` of the answer names, by lower-case name; absent headers are empty. */
  vary: z.record(headerName, z.string()).default({}),
  /** Of the request's body; null: it had none. */
  requestBody: hash.nullable(),
  /** `Content-Type` of the request's body. */
  requestType: z.string().default(''),
  /** 0: there was no answer, see `failure`. */
  status: z.number().int().min(200).max(599).or(z.literal(0)),
  /** `aborted`: the page gave up, or recording ended; `broken`: the server or the way to it failed; null: it came whole. */
  failure: z.enum(['aborted', 'broken']).nullable().default(null),
  /** In order, repeats kept; without hop-by-hop headers and `alt-svc`. */
  headers: z.array(header),
  /** Headers of each answer of status 103 before this one. */
  hints: z.array(z.array(header)).default([]),
  /** Encoded body as it was on the wire; null: none. */
  body: hash.nullable(),
  bodyBytes: z.number().int().nonnegative(),
  /** Where the server paused: after so many bytes of the body, so many ms. */
  pauses: z.array(z.tuple([z.number().int().nonnegative(), moment])).default([]),
  /** Request start after the first request of the recording, and from its arrival to the first byte of the answer. */
  startMs: moment,
  waitMs: moment,
});
export type ArchiveEntry = z.infer<typeof archiveEntrySchema>;

export const archiveSchemaVersion = 1;

/** `index.json` of an archive; the bodies lie next to it in `bodies/`, each named by its SHA-256. */
export const archiveIndexSchema = z.object({
  schemaVersion: z.literal(archiveSchemaVersion),
  /** What was visited, in order. */
  urls: z.array(z.string()).min(1),
  recordedAt: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'a date'),
  /** Program and version. */
  recorder: z.string(),
  /** False: the page never went quiet, recording ended at its limit. */
  complete: z.boolean(),
  /** What the page was shown on; null: not known. */
  device: deviceSchema.nullable().default(null),
  /** Time at which the scripts' clock began, if time and chance were settled while recording; null: they were not. */
  deterministicEpochMs: z.number().nullable().default(null),
  /** Key of the hashes that stand for secrets; empty: they were taken out without one. */
  secretsKey: z
    .string()
    .regex(/^[0-9a-f]*$/)
    .default(''),
  entries: z.array(archiveEntrySchema),
  /** Requests that failed in the browser, in the original: they fail in a replay too. */
  failures: z.array(z.object({ method: z.string(), url: z.string(), reason: z.string() })).default([]),
  /** What the site uses and a replay cannot give. */
  lacks: z.array(z.object({ feature: z.string(), url: z.string() })).default([]),
  /** What was taken out or replaced, by name, and how often. */
  removed: z.record(z.string(), z.number()),
  /** What looks like a secret and was kept, by name, and how often. */
  kept: z.record(z.string(), z.number()).default({}),
});
export type ArchiveIndex = z.infer<typeof archiveIndexSchema>;
/** What a writer must say; the rest has values that stand for its absence. */
export type ArchiveHead = Omit<z.input<typeof archiveIndexSchema>, 'entries' | 'schemaVersion'>;

/** What tells one recorded answer from another; several answers of one key came one after the other. */
export function entryKey(
  entry: Pick<
    ArchiveEntry,
    'method' | 'scheme' | 'host' | 'port' | 'path' | 'query' | 'bareQuery' | 'range' | 'vary' | 'requestBody'
  >,
): string {
  const vary = JSON.stringify(Object.entries(entry.vary).sort(([a], [b]) => (a < b ? -1 : 1)));
  return [
    entry.method,
    entry.scheme,
    entry.host,
    entry.port,
    entry.path,
    entry.query,
    entry.range,
    vary,
    entry.requestBody ?? '',
    ...(entry.bareQuery === true ? ['bare'] : []),
  ].join(' ');
}
