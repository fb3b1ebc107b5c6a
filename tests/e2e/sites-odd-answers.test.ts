import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createServer } from 'node:tls';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { openArchive } from '../../sites/archive/open-archive.ts';
import { projectDir, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const host = 'odd.test';

/** A page that asks for each in turn and ends with an error where one fails. */
const pageOf = (asked: readonly (readonly [string, object?])[]): string =>
  `<!doctype html><title>odd</title><link rel=icon href="data:,"><script type=module>
for (const [path, options] of ${JSON.stringify(asked)}) await (await fetch(path, options)).arrayBuffer();
await fetch('/done');
</script>`;

interface Credentials {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Status and bytes of each answer by method and path; undefined where there is no mitmproxy, with which the test is skipped. */
async function recorded(
  t: TestContext,
  serve: (credentials: Credentials) => Server,
): Promise<Record<string, readonly [status: number, bytes: number]> | undefined> {
  const setup = await createSetupContext({ projectDir });
  const mitmdump = await ensureMitmdump(setup).catch((thrown: unknown) => String(thrown));
  if (typeof mitmdump === 'string') {
    t.skip(mitmdump);
    return undefined;
  }
  const files = await (await openCertificateStore({ cache: setup.cache })).filesFor(host);
  const server = serve({ key: readFileSync(files.keyFile), cert: readFileSync(files.certificateFile) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const outDir = join(tempFolder(t), 'archive');
  const led = ['--insecure', '--connect-to', `${host}:443:127.0.0.1:${port}`];
  const { code, stderr } = await runCli(['record', `https://${host}/`, ...led, '--out', outDir]);
  assert.equal(code, 0, stderr);
  const { index } = await openArchive(outDir);
  assert.deepEqual(index.failures, [], stderr);
  return Object.fromEntries(
    index.entries.map(({ method, path, status, bodyBytes }) => [`${method} ${path}`, [status, bodyBytes]]),
  );
}

test('answers with trailers, without a body, and to HEAD are recorded as they are', async (t) => {
  const text = { ':status': 200, 'content-type': 'text/plain' };
  const withTrailers = (stream: ServerHttp2Stream, body: string): void => {
    stream.respond({ ...text, trailer: 'grpc-status' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(body);
  };
  const page = pageOf([['/small'], ['/large'], ['/none'], ['/reset'], ['/head', { method: 'HEAD' }]]);
  const answers: Readonly<Record<string, (stream: ServerHttp2Stream) => void>> = {
    '/': (stream) => {
      stream.respond({ ...text, 'content-type': 'text/html' });
      stream.end(page);
    },
    '/small': (stream) => withTrailers(stream, 'hello'),
    '/large': (stream) => withTrailers(stream, 'y'.repeat(1_000_000)),
    '/none': (stream) => withTrailers(stream, ''),
    '/reset': (stream) => stream.respond({ ':status': 205 }, { endStream: true }),
    '/head': (stream) => stream.respond({ ...text, 'content-length': '1234' }, { endStream: true }),
    '/done': (stream) => stream.respond({ ':status': 204 }, { endStream: true }),
  };
  const found = await recorded(t, (credentials) =>
    createSecureServer(credentials).on('stream', (stream, { ':path': path = '' }) => answers[path]?.(stream)),
  );
  if (found === undefined) return;
  assert.deepEqual(found, {
    'GET /': [200, page.length],
    'GET /small': [200, 5],
    'GET /large': [200, 1_000_000],
    'GET /none': [200, 0],
    'GET /reset': [205, 0],
    'HEAD /head': [200, 0],
    'GET /done': [204, 0],
  });
});

test('a connection that a server closes is opened again where --connect-to leads', async (t) => {
  const page = pageOf([['/closes'], ['/next']]);
  const found = await recorded(t, (credentials) =>
    createServer({ ...credentials, ALPNProtocols: ['http/1.1'] }, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (request: Buffer) => {
        const path = request.toString('latin1').split(' ')[1];
        const body = path === '/' ? page : 'text';
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        if (path === '/closes') socket.end();
      });
    }),
  );
  if (found === undefined) return;
  assert.deepEqual(found, {
    'GET /': [200, page.length],
    'GET /closes': [200, 4],
    'GET /next': [200, 4],
    'GET /done': [200, 4],
  });
});
