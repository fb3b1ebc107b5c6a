import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from '../../src/core/model/errors.ts';
import { sizeTitle } from '../../src/core/model/units.ts';
import { unkeptEnding } from '../../src/core/model/unkept-files.ts';
import type { PrepareContext, PreparedWorkload, Workload } from '../../src/core/model/workload.ts';
import { ensurePage, scriptPage } from '../localise/ensure-page.ts';
import { pageModule } from '../../src/core/system/module-file.ts';
import { makeWhole } from '../make-whole.ts';

const pageHost = 'lab.h2h3.test';
/** Another host than the page's, so that the measured request opens a connection of its own. */
const bodyHost = 'files.h2h3.test';

export interface DownloadOptions {
  readonly id: string;
  /** Size of each body. */
  readonly sizeBytes: number;
  /** Parallel requests; each asks for a body of its own. */
  readonly streams: number;
  /** A body is read before, and after so long the measured ones on the same connection. Absent: none is. Browsers alone do so. */
  readonly restMs?: number | undefined;
  /**
   * Another body of this size is asked for before on the same connection and not read, until the measured ones are whole. Absent: none
   * is. Browsers alone do so.
   */
  readonly unreadBytes?: number | undefined;
}

/** What browsers take of a body that nothing reads, the windows of HTTP/2 and HTTP/3, has come by then over 100 Mbit/s. */
const unreadFirstMs = 3_000;
/** What is asked for next to it comes in a second where a server goes on with it. */
const unreadAtMostMs = 8_000;

export function downloadWorkload(options: DownloadOptions): Workload {
  const size = sizeTitle(options.sizeBytes);
  const { restMs = 0, unreadBytes = 0 } = options;
  const parallel = options.streams === 1 ? '' : `, ${options.streams} parallel streams`;
  const rested = restMs === 0 ? '' : `, again after ${restMs / 1000} s of rest`;
  const unread = unreadBytes === 0 ? '' : `, next to ${sizeTitle(unreadBytes)} left unread`;
  const title = `${size} download${parallel}${rested}${unread}`;
  const bytes = options.sizeBytes * options.streams;
  const besideBytes = unreadBytes + (restMs === 0 ? 0 : options.sizeBytes);
  // About 1 Gbit/s.
  const withinMs = bytes / 125_000;
  return {
    id: options.id,
    kind: 'download',
    title,
    facts: factsOf(options),
    // A connection and a browser start.
    expectedTrialMs: 1_500 + withinMs + waitedMs(options),
    transfer: { bytes, withinMs, ...(besideBytes === 0 ? {} : { besideBytes }) },
    prepare: (context) => prepare(options, title, context),
  };
}

/** Before what is measured. */
const waitedMs = ({ restMs = 0, unreadBytes = 0 }: DownloadOptions): number =>
  restMs + (unreadBytes === 0 ? 0 : unreadFirstMs);

function factsOf(options: DownloadOptions): PreparedWorkload['facts'] {
  return {
    objectCount: options.streams + 2,
    hostCount: 2,
    wireBytes: options.sizeBytes * options.streams,
    types: { html: 1, js: 1, other: options.streams },
    source: 'generated: a sparse file of zeros, sent without content encoding',
  };
}

async function prepare(
  options: DownloadOptions,
  title: string,
  context: PrepareContext,
): Promise<PreparedWorkload> {
  const directory = join(context.cacheDir, 'downloads');
  const bodies = join(directory, 'bodies');
  context.progress({ title: `Preparing ${title}` });
  await ensureBody(bodies, `${options.sizeBytes}.bin`, options.sizeBytes);
  const { restMs = 0, unreadBytes = 0 } = options;
  const unreadName = `${unreadBytes}.${unkeptEnding}`;
  if (unreadBytes > 0) await ensureBody(bodies, unreadName, unreadBytes);
  const page = await ensurePage(directory, {
    'download.html': scriptPage('Bulk download', 'download.js'),
    'download.js': pageModule('../page/download-page.ts', import.meta.url),
  });
  const before = restMs === 0 ? '' : `&rest=${restMs}`;
  const nextTo =
    unreadBytes === 0
      ? ''
      : `&unread=${unreadName}&unreadFirst=${unreadFirstMs}&unreadAtMost=${unreadAtMostMs}`;
  const query = `bytes=${options.sizeBytes}&streams=${options.streams}${before}${nextTo}`;
  return {
    id: options.id,
    kind: 'download',
    title,
    // The same two folders for every size, so that one server can hold all downloads of a run.
    roots: [
      { host: pageHost, directory: page },
      { host: bodyHost, directory: bodies },
    ],
    entry: { host: pageHost, path: `/download.html?${query}` },
    driver: 'session',
    quietMs: 0,
    deadlineMs: 30_000 + waitedMs(options) + (options.sizeBytes * options.streams) / 1_000,
    requests: Array.from({ length: options.streams }, (_, stream) => ({
      host: bodyHost,
      path: `/${options.sizeBytes}.bin?stream=${stream}`,
      bytes: options.sizeBytes,
    })),
    loggedHosts: [bodyHost],
    mediaBufferMegabytes: 0,
    facts: factsOf(options),
  };
}

/**
 * A file of zeros without blocks on the disk. Reading it costs no disk access, so the disk cannot become the
 * bottleneck; nothing on the way compresses it, as the server encodes nothing by itself and TLS has no compression.
 */
async function ensureBody(directory: string, name: string, sizeBytes: number): Promise<void> {
  const target = join(directory, name);
  const there = await stat(target).catch(ifAbsent(null));
  if (there?.size === sizeBytes) return;
  await makeWhole(target, async (scratch) => {
    const body = join(scratch, 'body');
    const file = await open(body, 'w');
    await file.truncate(sizeBytes);
    await file.close();
    return body;
  });
}
