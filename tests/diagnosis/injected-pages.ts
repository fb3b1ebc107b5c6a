import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { projectDir } from '../support/cli.ts';

const lateMs = 100;
const busyMs = 200;
/** The script of every page comes so late that the page is painted before: what it blocks is a page that people see. */
const scriptWaitMs = 300;

/** What a page of each path has that the plain one has not. */
const faults: Readonly<Record<string, { readonly waitMs: number; readonly busyMs: number }>> = {
  '/plain': { waitMs: 0, busyMs: 0 },
  '/again': { waitMs: 0, busyMs: 0 },
  '/late': { waitMs: lateMs, busyMs: 0 },
  '/busy': { waitMs: 0, busyMs },
};

export interface InjectedPages {
  readonly origin: string;
  stop(): Promise<void>;
}

/** One page at several addresses over HTTP/2: `/plain` and `/again` are the same, `/late` answers later, the script of `/busy` computes. */
export async function serveInjectedPages(): Promise<InjectedPages> {
  const { cache } = await createSetupContext({ projectDir });
  const { certificateFile, keyFile } = await (await openCertificateStore({ cache })).filesFor('localhost');
  const server = createSecureServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
  server.on('stream', (stream, headers) => {
    const path = new URL(headers[':path'] ?? '/', 'https://localhost');
    const fault = faults[path.pathname];
    void (async () => {
      stream.on('error', () => undefined); // the browser may have gone
      await sleep(fault?.waitMs ?? scriptWaitMs);
      if (stream.destroyed) return;
      const type = path.pathname === '/work.js' ? 'text/javascript' : 'text/html';
      stream.respond({ ':status': fault || type !== 'text/html' ? 200 : 404, 'content-type': type });
      stream.end(fault ? page(fault.busyMs) : script(Number(path.searchParams.get('ms'))));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sessions.forEach((session) => session.destroy());
      }),
  };
}

/** The load waits for the script. */
const page = (ms: number): string => `<!doctype html><title>page</title><h1>Page</h1><p>${'text '.repeat(200)}
<script src="/work.js?ms=${ms}"></script>`;

const script = (ms: number): string =>
  `for (const until = performance.now() + ${ms}; performance.now() < until;);`;
