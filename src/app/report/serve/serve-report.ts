import { createReadStream } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderLivePage } from '../../../../reports/html/live/render-live-page.ts';
import { H2h3Error, hasErrno, messageOf } from '../../../model/errors.ts';
import { LiveRun } from './live-run.ts';
import { runFile } from './run-file.ts';

const host = '127.0.0.1';
/** Used where no port is asked for; another one when it is taken. */
const defaultPort = 7323;
/** How often the journal is looked at while somebody watches. */
const lookEveryMs = 1000;

export interface ReportServer {
  readonly address: string;
  close(): Promise<void>;
}

/** A page elsewhere must not read a run through a name of its own that leads here. */
function isOwnHost(request: IncomingMessage, port: number): boolean {
  return [`${host}:${port}`, `localhost:${port}`].includes(request.headers.host ?? '');
}

/** The path that a request asks for; null where it is none, as in `GET //`. */
function pathOf({ url }: IncomingMessage): string | null {
  return URL.parse(`http://${host}${url ?? '/'}`)?.pathname ?? null;
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

/** Tells every watcher what is new, as server-sent events; looks at nothing while nobody watches. */
class Watchers {
  readonly #run: LiveRun;
  readonly #open = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;
  #last = '';

  constructor(run: LiveRun) {
    this.#run = run;
  }

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#open.add(response);
    response.on('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.end();
    });
    this.#last = this.#look();
    response.write(this.#last);
    this.#timer ??= setInterval(() => {
      this.#tell();
    }, lookEveryMs);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): string {
    try {
      return `data: ${JSON.stringify(this.#run.progress())}\n\n`;
    } catch (thrown) {
      return `event: trouble\ndata: ${JSON.stringify(messageOf(thrown))}\n\n`;
    }
  }

  #tell(): void {
    const now = this.#look();
    const message = now === this.#last ? ': nothing new\n\n' : now;
    this.#last = now;
    for (const response of this.#open) response.write(message);
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function open(server: Server, port: number | undefined): Promise<number> {
  try {
    return await listen(server, port ?? defaultPort);
  } catch (thrown) {
    const taken = hasErrno(thrown, 'EADDRINUSE');
    if (taken && port === undefined) return listen(server, 0);
    if (!taken && !hasErrno(thrown, 'EACCES')) throw thrown;
    throw new H2h3Error('usage', `port ${port} ${taken ? 'is in use' : 'may not be used'} on ${host}`, {
      cause: thrown,
      next: 'Name another with --port, or leave it out to get a free one.',
    });
  }
}

/**
 * Serves the run behind `name` on loopback: its progress while it goes on, its report when there is one.
 *
 * @throws H2h3Error `bad-input` where there is no run, `usage` where the port is taken.
 */
export async function serveReport(name: string, wantedPort: number | undefined): Promise<ReportServer> {
  const run = new LiveRun(name);
  const watchers = new Watchers(run);
  const page = await renderLivePage();
  let port = 0;
  const server = createServer((request, response) => {
    const pathname = pathOf(request);
    if (!isOwnHost(request, port)) answer(response, 403, 'text/plain', 'Only for this machine.\n');
    else if (request.method !== 'GET') answer(response, 405, 'text/plain', 'Only GET.\n');
    else if (pathname === '/') answer(response, 200, 'text/html; charset=utf-8', page);
    else if (pathname === '/events') watchers.add(response);
    else {
      const file =
        pathname?.startsWith('/run/') === true ? runFile(run.path, pathname.slice('/run/'.length)) : null;
      if (file === null) answer(response, 404, 'text/plain', 'No such file in this run.\n');
      else {
        response.writeHead(200, { 'content-type': file.type, 'x-content-type-options': 'nosniff' });
        createReadStream(file.path)
          .on('error', () => response.destroy())
          .pipe(response);
      }
    }
  });
  port = await open(server, wantedPort);
  return {
    address: `http://${host}:${port}/`,
    close: () =>
      new Promise((resolve, reject) => {
        watchers.end();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
