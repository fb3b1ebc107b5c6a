import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What somebody was sent. */
interface Sent {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export interface BusyListener {
  /** Its last part is a secret. */
  readonly url: string;
  /** Everything that came, oldest first. */
  readonly sent: readonly Sent[];
}

/** Stands in for whom a night tells: it answers with these statuses in turn, and then takes what it gets. */
export async function startBusyListener(
  t: TestContext,
  { statuses, secret }: { readonly statuses: readonly number[]; readonly secret: string },
): Promise<BusyListener> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      sent.push({ path: request.url ?? '', body, headers: request.headers });
      response.writeHead(statuses[sent.length - 1] ?? 200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`, sent };
}
