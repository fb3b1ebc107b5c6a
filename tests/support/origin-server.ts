import { mkdirSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { ServerSoftware } from '../../harness/servers/server-software.ts';
import type { RunningServer, ServerStartOptions } from '../../harness/servers/server.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { tempFolder } from './temp-folder.ts';
import { markedEnvironment } from './test-scope.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** A server with a small site behind `a.test`; stopped after the test. */
export async function startOrigin(
  t: Pick<TestContext, 'after'>,
  changes: Partial<ServerStartOptions> = {},
  software: ServerSoftware = caddy,
): Promise<RunningServer> {
  const setup = await createSetupContext({ projectDir });
  const folder = tempFolder(t);
  const site = path.join(folder, 'site {1}');
  mkdirSync(path.join(site, 'empty'), { recursive: true });
  writeFileSync(path.join(site, 'index.html'), '<h1>page</h1>');
  writeFileSync(path.join(site, 'a.js'), 'plain');
  writeFileSync(path.join(site, 'a.js.br'), 'brotli');
  writeFileSync(path.join(site, 'a.js.gz'), 'gzip');
  writeFileSync(path.join(site, 'video.mpd'), '<MPD/>');
  const server = await serverProvider(software, setup).start({
    roots: [{ host: 'a.test', directory: site }],
    address: '127.0.0.1',
    port: null,
    certificates: await openCertificateStore({ cache: setup.cache }),
    workDir: path.join(folder, 'server'),
    launchPrefix: [],
    environment: markedEnvironment(),
    ...changes,
  });
  t.after(() => server.stop());
  return server;
}

export interface Answer {
  readonly headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined };
  readonly body: string;
}

/** One request over HTTP/2 with `host` as the name asked for; the connection is always to `a.test`. */
export function request(
  server: Pick<RunningServer, 'address' | 'port'>,
  file: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://${server.address}:${server.port}`, {
      servername: 'a.test',
      rejectUnauthorized: false,
    });
    session.once('error', reject);
    const stream = session.request({ ':path': file, ':authority': `a.test:${server.port}`, ...headers });
    let answer: Answer['headers'] = {};
    let body = '';
    stream.once('response', (received) => (answer = received));
    stream.setEncoding('utf8').on('data', (text: string) => (body += text));
    stream.once('error', reject).once('end', () => {
      session.close();
      resolve({ headers: answer, body });
    });
  });
}
