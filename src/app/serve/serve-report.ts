import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderProgressPage } from '../../../reports/html/progress/render-progress-page.ts';
import { H2h3Error, hasErrno, messageOf } from '../../core/model/errors.ts';
import { answerPlain } from './http-answer.ts';
import { ServedRun } from './served-run.ts';
import { ServedRuns } from './served-runs.ts';

const host = '127.0.0.1';
/** Used where no port is asked for; another one when it is taken. */
const defaultPort = 7323;

export interface ReportServer {
  readonly address: string;
  close(): Promise<void>;
}

/** A page of another site must not read a run through a name of its own that leads here. */
function isOwnHost(request: IncomingMessage, port: number): boolean {
  return [`${host}:${port}`, `localhost:${port}`].includes(request.headers.host ?? '');
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

/** Shows a run, or all runs of a folder. */
interface Shown {
  answer(address: URL, response: ServerResponse): void | Promise<void>;
  end(): void;
}

/** Whatever goes wrong, at once or later, is a rejection: no request may end the server. */
async function answerBy(shown: Shown, address: URL, response: ServerResponse): Promise<void> {
  await shown.answer(address, response);
}

async function serve(shown: Shown, wantedPort: number | undefined): Promise<ReportServer> {
  let port = 0;
  const server = createServer((request, response) => {
    const address = URL.parse(`http://${request.headers.host ?? host}${request.url ?? '/'}`);
    if (!isOwnHost(request, port)) answerPlain(response, 403, 'Only for this machine.');
    else if (request.method !== 'GET') answerPlain(response, 405, 'Only GET.');
    else if (address === null) answerPlain(response, 404, 'No such page.');
    else
      answerBy(shown, address, response).catch((thrown: unknown) => {
        if (response.headersSent) response.destroy();
        else answerPlain(response, 500, messageOf(thrown));
      });
  });
  port = await open(server, wantedPort);
  return {
    address: `http://${host}:${port}/`,
    close: () =>
      new Promise((resolve, reject) => {
        shown.end();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/**
 * Serves the run behind `name` on loopback: its progress while it goes on, its report when there is one.
 *
 * @throws H2h3Error `bad-input` where there is no run, `usage` where the port is taken.
 */
export async function serveReport(name: string, wantedPort: number | undefined): Promise<ReportServer> {
  const run = new ServedRun(name, await renderProgressPage());
  const shown = {
    answer: ({ origin, pathname }: URL, response: ServerResponse) => {
      run.answer(pathname, response, `${origin}/`);
    },
    end: () => {
      run.end();
    },
  };
  return serve(shown, wantedPort);
}

/**
 * Serves the list of the runs in a folder on loopback, and each of them: report, progress, and any two compared.
 *
 * @throws H2h3Error `usage` where the port is taken.
 */
export async function serveReports(parent: string, wantedPort: number | undefined): Promise<ReportServer> {
  return serve(new ServedRuns(parent, await renderProgressPage()), wantedPort);
}
