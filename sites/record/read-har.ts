import { z } from 'zod';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { readInput } from '../../src/core/system/read-input.ts';
import { zipEntries } from '../../src/core/system/zip-entries.ts';
import { extensionField, readHeadExtension, type HeadExtension } from './archive-extension.ts';

/** Some writers leave empty values out, or write numbers. */
const headerValue = z.union([z.string(), z.number().transform(String)]).default('');
const header = z
  .object({ name: z.string(), value: headerValue })
  .transform(({ name, value }): [string, string] => [name, value]);
const harEntrySchema = z.object({
  startedDateTime: z.string(),
  pageref: z.string().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(header),
    postData: z
      .object({
        mimeType: z.string().optional(),
        text: z.string().optional(),
        params: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional(),
        /** Playwright: name of the file of the zip that holds the body. */
        _file: z.string().optional(),
        /** Ours: `base64` of a body that is no text. */
        _encoding: z.string().optional(),
      })
      .optional(),
  }),
  response: z.object({
    status: z.number(),
    headers: z.array(header),
    content: z
      .object({
        /** Playwright: -1 where the body was not read. */
        size: z.number().nullish(),
        text: z.string().optional(),
        encoding: z.string().optional(),
        mimeType: z.string().nullish(),
        _file: z.string().optional(),
      })
      .default({}),
    /** Chromium's, and Playwright's. */
    _error: z.string().nullish(),
    _failureText: z.string().nullish(),
  }),
  timings: z
    .object({ wait: z.number().nullish(), connect: z.number().nullish(), ssl: z.number().nullish() })
    .nullish(),
  _fromCache: z.unknown().optional(),
  _resourceType: z.string().nullish(),
  [extensionField]: z.unknown().optional(),
});
export type HarFileEntry = z.infer<typeof harEntrySchema>;

const harPageSchema = z.object({
  id: z.string(),
  title: z
    .string()
    .nullish()
    .transform((title) => title ?? ''),
  startedDateTime: z
    .string()
    .nullish()
    .transform((date) => date ?? ''),
});

const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string().optional(), version: z.string().optional() }).optional(),
    pages: z.array(harPageSchema).nullish(),
    entries: z.array(z.unknown()).min(1),
    [extensionField]: z.unknown().optional(),
  }),
});

export interface HarFile {
  readonly creator: string;
  /** Of a file that an archive was exported to. */
  readonly extension: HeadExtension | null;
  readonly pages: readonly z.infer<typeof harPageSchema>[];
  readonly entries: readonly HarFileEntry[];
  /** Entries that cannot be read, each with its address and the field that is wrong. */
  readonly unreadable: readonly { readonly url: string; readonly reason: string }[];
  /** Bodies by name, of a zip as Playwright writes it. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Limits of what is unpacked: beyond them a file is an attack on the reader, or too large to be a page. */
const maxFiles = 50_000;
const maxUnpackedBytes = 2_000_000_000;
const maxRatio = 1_000;
/** Below it no ratio is suspicious. */
const harmlessBytes = 50_000_000;

/** @throws H2h3Error `bad-input` for a file that is no HAR */
export function readHar(file: string): HarFile {
  const { json, files } = readFileOrZip(file);
  const har = harSchema.safeParse(json);
  if (!har.success) {
    throw noHar(file, firstIssueOf(har.error));
  }
  const { creator, pages, entries: given } = har.data.log;
  const entries: HarFileEntry[] = [];
  const unreadable: { url: string; reason: string }[] = [];
  for (const [at, each] of given.entries()) {
    const entry = harEntrySchema.safeParse(each);
    if (entry.success) entries.push(entry.data);
    else unreadable.push({ url: addressIn(each), reason: `log.entries.${at}.${firstIssueOf(entry.error)}` });
  }
  if (entries.length === 0) throw noHar(file, unreadable[0]?.reason ?? 'no entries');
  return {
    creator: `${creator?.name ?? 'unknown'} ${creator?.version ?? ''}`.trim(),
    extension: readHeadExtension(har.data.log[extensionField]),
    pages: pages ?? [],
    entries,
    unreadable,
    files,
  };
}

function firstIssueOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`;
}

function addressIn(entry: unknown): string {
  const url = (entry as { request?: { url?: unknown } } | null | undefined)?.request?.url;
  return typeof url === 'string' ? url : 'an entry without an address';
}

/** A byte order mark is passed over as HAR 1.2 asks for, and what is null is as good as left out. */
function parseHarText(text: string): unknown {
  return parseForeignJson(text.replace(/^\uFEFF/, ''), (_, value: unknown) => value ?? undefined);
}

function readFileOrZip(file: string): { json: unknown; files: HarFile['files'] } {
  try {
    const content = readInput(file, { what: 'a HAR', limitBytes: maxUnpackedBytes });
    if (content.toString('latin1', 0, 2) !== 'PK')
      return { json: parseHarText(content.toString('utf8')), files: new Map() };
    const files = unzipped(content);
    const har = [...files].find(([name]) => name.endsWith('.har'));
    if (har === undefined) throw new Error('a zip without a .har file');
    return { json: parseHarText(Buffer.from(har[1]).toString('utf8')), files };
  } catch (cause) {
    throw noHar(file, messageOf(cause));
  }
}

function unzipped(content: Buffer): HarFile['files'] {
  const entries = zipEntries(content, { maxFiles, maxBytes: maxUnpackedBytes });
  const bytes = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  if (bytes > harmlessBytes && bytes > maxRatio * content.length)
    throw new Error(`a zip of ${content.length} bytes that unpacks to ${bytes}`);
  return new Map(entries.map(({ name, read }) => [name, read()]));
}

export function noHar(file: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', `${file} is not a HAR file with bodies`, {
    context: { file, expected: 'HAR 1.2 whose answers have content.text', got },
    next: 'Save it "with content" from the developer tools, or record the site with `npx h2h3 record`.',
  });
}
