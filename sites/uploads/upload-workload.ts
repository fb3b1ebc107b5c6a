import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { receiptOf } from '../../src/core/model/sink-line.ts';
import type { PrepareContext, PreparedWorkload, Workload } from '../../src/core/model/workload.ts';
import { moduleFile, pageModule } from '../../src/core/system/module-file.ts';
import { ensurePage, scriptPage } from '../localise/ensure-page.ts';
import { makeWhole } from '../make-whole.ts';
import { uploadBody, type UploadForm, type UploadWay } from '../page/upload-body.ts';

/** Another host than that of the pages of downloads, so that one run may have both. */
const pageHost = 'upload.h2h3.test';
/** Another host than the page's, so that the upload opens a connection of its own. */
const sinkHost = 'sink.h2h3.test';
/** More than any workload sends. */
const maxSinkBytes = 201_000_000;

export interface UploadOptions {
  readonly id: string;
  readonly title: string;
  readonly form: UploadForm;
  /** Default: `fetch`. */
  readonly way?: UploadWay;
  /** Of the body, or of the photo in a form. */
  readonly sizeBytes: number;
}

/** One body that goes up. A program behind the server takes it, the same for every server, and says what came. */
export function uploadWorkload(options: UploadOptions): Workload {
  const { id, title, sizeBytes } = options;
  // About 1 Gbit/s.
  const withinMs = sizeBytes / 125_000;
  return {
    id,
    kind: 'upload',
    title,
    facts: factsOf(options),
    // A connection and a browser start.
    expectedTrialMs: 1_500 + withinMs,
    transfer: { bytes: sizeBytes, withinMs, goes: 'up' },
    exposure: { uploadsMade: 1 },
    prepare: (context) => prepare(options, context),
  };
}

function factsOf({ sizeBytes }: UploadOptions): PreparedWorkload['facts'] {
  return {
    objectCount: 4,
    hostCount: 2,
    wireBytes: sizeBytes,
    types: { html: 1, js: 2, json: 1 },
    source: 'generated: bytes that nothing compresses, thrown away by a program behind the server',
  };
}

async function prepare(options: UploadOptions, context: PrepareContext): Promise<PreparedWorkload> {
  const { id, title, form, way = 'fetch', sizeBytes } = options;
  context.progress({ title: `Preparing ${title}` });
  const parent = join(context.cacheDir, 'uploads');
  const { bytes, contentType } = uploadBody(form, sizeBytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const directory = await ensurePage(parent, {
    'upload.html': scriptPage('Upload', 'upload.js'),
    'upload.js': pageModule('../page/upload-page.ts', import.meta.url),
    'upload-body.js': pageModule('../page/upload-body.ts', import.meta.url),
  });
  const path = `/${id}`;
  return {
    id,
    kind: 'upload',
    title,
    // The same for every size, so that one server can take all uploads of a run.
    roots: [
      { host: pageHost, directory },
      { host: sinkHost, directory, origin: sinkOrigin(maxSinkBytes) },
    ],
    entry: { host: pageHost, path: `/upload.html?bytes=${sizeBytes}&form=${form}&way=${way}&path=${path}` },
    driver: 'session',
    quietMs: 0,
    // At 2 Mbit/s.
    deadlineMs: 30_000 + bytes.byteLength / 250,
    requests: [
      {
        host: sinkHost,
        path,
        bytes: receiptOf({ bytes: bytes.byteLength, sha256 }).length,
        body: { file: await ensureBody(join(parent, 'bodies'), bytes, sha256), contentType },
      },
    ],
    upload: { host: sinkHost, path, bytes: bytes.byteLength, sha256 },
    loggedHosts: [sinkHost],
    mediaBufferMegabytes: 0,
    facts: factsOf(options),
  };
}

/** The program that takes bodies of this size at the most. */
export function sinkOrigin(maxBytes: number): NonNullable<PreparedWorkload['roots'][number]['origin']> {
  const program = moduleFile('./serve-sink.ts', import.meta.url);
  return { command: [process.execPath, program, String(maxBytes)], kind: 'sink' };
}

/** For clients without pages, which send what a file holds. */
async function ensureBody(directory: string, bytes: Uint8Array, sha256: string): Promise<string> {
  const target = join(directory, `${sha256}.bin`);
  if (existsSync(target)) return target;
  await makeWhole(target, async (scratch) => {
    const body = join(scratch, 'body');
    await writeFile(body, bytes);
    return body;
  });
  return target;
}
