import { promisify } from 'node:util';
import { brotliCompress, deflate, gzip, zstdCompress } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { ArchiveIndex } from '../archive/archive-index.ts';
import { cleanExchange } from '../archive/clean-exchange.ts';
import { storable } from '../archive/storable.ts';
import { writeArchive, type RecordedExchange } from '../archive/write-archive.ts';

const pair = z.object({ name: z.string(), value: z.string() });
const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: z.string().optional() }).optional(),
    entries: z
      .array(
        z.object({
          startedDateTime: z.string(),
          request: z.object({
            method: z.string(),
            url: z.string(),
            headers: z.array(pair),
            postData: z.object({ text: z.string().optional() }).optional(),
          }),
          response: z.object({
            status: z.number(),
            headers: z.array(pair),
            content: z.object({
              text: z.string().optional(),
              encoding: z.string().optional(),
              /** Playwright: name of the file of the zip that holds the body. */
              _file: z.string().optional(),
            }),
          }),
          timings: z.object({ wait: z.number().optional() }).optional(),
        }),
      )
      .min(1),
  }),
});
type HarFileEntry = z.infer<typeof harSchema>['log']['entries'][number];

/** HAR files hold decoded bodies; these bring them back to the coding their headers name. */
const encoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  deflate: promisify(deflate),
  zstd: promisify(zstdCompress),
};

export interface ImportHarOptions {
  readonly harFile: string;
  /** The archive's folder; must not exist. */
  readonly outDir: string;
  /** Keep cookies, credentials and tokens. Default no. */
  readonly keepSecrets?: boolean;
}

export interface ImportedHar {
  readonly index: ArchiveIndex;
  /** Addresses that the file has no body for although their answers had one, or that never got an answer. */
  readonly skipped: readonly string[];
}

/**
 * Makes an archive of a HAR with bodies (browsers' developer tools, mitmproxy, Playwright's `recordHar` with embedded
 * content). Such a file holds decoded bodies: they are encoded again, so encoded sizes come near the recorded ones only.
 *
 * @throws H2h3Error `bad-input` for a file that is no HAR or holds no bodies.
 */
export async function importHar(options: ImportHarOptions): Promise<ImportedHar> {
  const { json, files } = await readHarFile(options.harFile);
  const har = harSchema.safeParse(json);
  if (!har.success) {
    const [issue] = har.error.issues;
    throw notUsable(options.harFile, `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { log } = har.data;
  const firstMs = Math.min(...log.entries.map((entry) => Date.parse(entry.startedDateTime)));
  const skipped: string[] = [];
  const exchanges: RecordedExchange[] = [];
  const removed: Record<string, number> = {};
  for (const entry of log.entries) {
    const exchange = await exchangeOf(entry, firstMs, files);
    if (exchange === null) {
      skipped.push(entry.request.url);
      continue;
    }
    const cleaned = cleanExchange(exchange, options.keepSecrets ?? false);
    for (const name of cleaned.removed) removed[name] = (removed[name] ?? 0) + 1;
    exchanges.push(cleaned.exchange);
  }
  const [first] = log.entries;
  const kept = storable(exchanges);
  skipped.push(...kept.refused);
  if (kept.exchanges.length === 0 || first === undefined)
    throw notUsable(options.harFile, 'no answer with a body');
  const { creator } = log;
  const head = {
    urls: [first.request.url],
    recordedAt: first.startedDateTime,
    recorder: `HAR by ${creator?.name ?? 'unknown'} ${creator?.version ?? ''}`.trim(),
    complete: true,
    removed,
  };
  return { index: await writeArchive(options.outDir, head, kept.exchanges), skipped };
}

interface HarFile {
  readonly json: unknown;
  /** Bodies by name, of a zip as Playwright writes it. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

async function readHarFile(file: string): Promise<HarFile> {
  try {
    const content = await readFile(file);
    if (content.toString('latin1', 0, 2) !== 'PK')
      return { json: JSON.parse(content.toString('utf8')), files: {} };
    const files = unzipSync(content);
    const har = Object.entries(files).find(([name]) => name.endsWith('.har'));
    if (har === undefined) throw new Error('a zip without a .har file');
    return { json: JSON.parse(Buffer.from(har[1]).toString('utf8')), files };
  } catch (cause) {
    throw notUsable(file, messageOf(cause));
  }
}

function notUsable(file: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', `${file} is not a HAR file with bodies`, {
    context: { file, expected: 'HAR 1.2 whose answers have content.text', got },
    next: 'Save it "with content" from the developer tools, or record the site with `h2h3 record`.',
  });
}

async function exchangeOf(
  entry: HarFileEntry,
  firstMs: number,
  files: HarFile['files'],
): Promise<RecordedExchange | null> {
  const { request, response } = entry;
  if (!/^https?:/.test(request.url) || response.status < 200) return null;
  const { content } = response;
  const hasBody = !(
    request.method === 'HEAD' ||
    [204, 304].includes(response.status) ||
    isRedirect(response.status)
  );
  const attached = content._file === undefined ? undefined : files[content._file];
  if (hasBody && content.text === undefined && attached === undefined && lengthOf(response.headers) !== '0')
    return null;
  const url = new URL(request.url);
  const text = Buffer.from(content.text ?? '', content.encoding === 'base64' ? 'base64' : 'utf8');
  const decoded = attached === undefined ? text : Buffer.from(attached);
  const coding = valueOf(response.headers, 'content-encoding');
  const encode = coding === undefined ? undefined : encoders[coding.toLowerCase()];
  const headers = response.headers
    // Pseudo-headers belong to HTTP/2 and HTTP/3; an unknown coding cannot be made again.
    .filter(({ name }) => !name.startsWith(':'))
    .filter(({ name }) => encode !== undefined || name.toLowerCase() !== 'content-encoding')
    // Browsers join repeated headers with line feeds.
    .flatMap(({ name, value }) => value.split('\n').map((part): [string, string] => [name, part]));
  return {
    entry: {
      method: request.method,
      host: url.hostname,
      path: url.pathname,
      query: url.search.slice(1),
      range: valueOf(request.headers, 'range') ?? '',
      status: response.status,
      headers,
      startMs: Date.parse(entry.startedDateTime) - firstMs,
      waitMs: Math.max(0, entry.timings?.wait ?? 0),
    },
    requestBody: request.postData?.text === undefined ? null : Buffer.from(request.postData.text),
    body: decoded.length > 0 && encode !== undefined ? await encode(decoded) : decoded,
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function lengthOf(headers: readonly { name: string; value: string }[]): string | undefined {
  return valueOf(headers, 'content-length');
}

function valueOf(headers: readonly { name: string; value: string }[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}
