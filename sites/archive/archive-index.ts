import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal');
/** RFC 9110, 5.6.2: a token. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'a header name');
/** RFC 9110, 5.5: no control characters but the tab; anything else could start another header. */
const headerValue = z
  .string()
  .refine((value) => !/[\0-\x08\x0a-\x1f\x7f]/.test(value), 'a header value on one line');

export const archiveEntrySchema = z.object({
  method: z.string().regex(/^[A-Z]{1,20}$/, 'a method'),
  /** Underscores are no host names by RFC 1123, and are in use all the same. */
  host: z.string().regex(/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/, 'a host name in lower case'),
  /** As sent, percent-encoded, with leading slash and without query. */
  path: z.string().regex(/^\/[^\s?#]*$/, 'a path'),
  /** As sent, without question mark; empty: none. */
  query: z.string().regex(/^[^\s#]*$/, 'a query'),
  /** `Range` of the request; empty: none. */
  range: z.string(),
  /** Of the request's body; null: it had none. */
  requestBody: hash.nullable(),
  status: z.number().int().min(200).max(599),
  /** In order, repeats kept; without hop-by-hop headers and `alt-svc`. */
  headers: z.array(z.tuple([headerName, headerValue])),
  /** Encoded body as it was on the wire; null: none. */
  body: hash.nullable(),
  bodyBytes: z.number().int().nonnegative(),
  /** Request start after the first request of the recording, and from there to the first byte of the answer. */
  startMs: z.number().nonnegative(),
  waitMs: z.number().nonnegative(),
});
export type ArchiveEntry = z.infer<typeof archiveEntrySchema>;

/** `index.json` of an archive; the bodies lie beside it in `bodies/`, each named by its SHA-256. */
export const archiveIndexSchema = z.object({
  schemaVersion: z.literal(1),
  /** What was visited, in order. */
  urls: z.array(z.string()).min(1),
  recordedAt: z.string(),
  /** Program and version. */
  recorder: z.string(),
  /** False: the page never went quiet, recording ended at its limit. */
  complete: z.boolean(),
  entries: z.array(archiveEntrySchema),
  /** What was taken out, by name, and how often. */
  removed: z.record(z.string(), z.number()),
});
export type ArchiveIndex = z.infer<typeof archiveIndexSchema>;

/** What tells one recorded answer from another. */
export function entryKey(
  entry: Pick<ArchiveEntry, 'method' | 'host' | 'path' | 'query' | 'range' | 'requestBody'>,
): string {
  return [entry.method, entry.host, entry.path, entry.query, entry.range, entry.requestBody ?? ''].join(' ');
}
