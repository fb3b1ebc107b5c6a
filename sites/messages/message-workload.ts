import { join } from 'node:path';
import type { PrepareContext, Workload, WorkloadFacts } from '../../src/core/model/workload.ts';
import { pageModule } from '../../src/core/system/module-file.ts';
import { ensurePage, scriptPage } from '../localise/ensure-page.ts';

const host = 'messages.h2h3.test';

export interface MessageOptions {
  readonly id: string;
  readonly title?: string;
  readonly messageBytes: number;
  /** From one message to the next. */
  readonly gapMs: number;
  /** Default: as many as are sent in eight seconds, and a hundred at the least. */
  readonly count?: number;
}

/** They are sent for so long, and more slowly sent ones until there are as many as a 99th percentile wants. */
const sendingMs = 8_000;
const minMessages = 100;
/** What the page waits for echoes that are still under way at the most, and what it takes to start and to end. */
const maxGraceMs = 20_000;
const startMs = 1_500;

/** A page that sends messages at fixed times, whatever comes back, and notes when each echo is there. */
export function messageWorkload(options: MessageOptions): Workload {
  const { id, messageBytes, gapMs, title = `Messages of ${messageBytes} bytes every ${gapMs} ms` } = options;
  const { count = Math.max(minMessages, Math.ceil(sendingMs / gapMs)) } = options;
  const durationMs = count * gapMs;
  const facts: WorkloadFacts = {
    objectCount: 4,
    hostCount: 1,
    wireBytes: count * messageBytes,
    types: { html: 1, js: 2, json: 1 },
    source: 'generated: numbered messages, each sent back by the server',
  };
  return {
    id,
    kind: 'messages',
    title,
    facts,
    expectedTrialMs: startMs + durationMs,
    transfer: { bytes: count * messageBytes, withinMs: durationMs },
    exposure: { messagesSent: count },
    applies: ['transport'],
    messages: { messageBytes, gapMs },
    prepare: async (context) => ({
      id,
      kind: 'messages',
      title,
      roots: [{ host, directory: await pageFolder(context, title), messages: true }],
      entry: { host, path: `/messages.html?bytes=${messageBytes}&gap=${gapMs}&count=${count}` },
      driver: 'session',
      quietMs: 0,
      deadlineMs: 2 * durationMs + maxGraceMs + 30_000,
      loggedHosts: [host],
      mediaBufferMegabytes: 0,
      facts,
    }),
  };
}

function pageFolder({ cacheDir, progress }: PrepareContext, title: string): Promise<string> {
  progress({ title: `Preparing ${title}` });
  return ensurePage(join(cacheDir, 'messages'), {
    'messages.html': scriptPage('Messages', '/messages.js'),
    'messages.js': pageModule('../page/message-page.ts', import.meta.url),
    'pinned-certificate.js': pageModule('../page/pinned-certificate.ts', import.meta.url),
  });
}
