import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { openCertificateStore } from '../../harness/setup/certificates.ts';
import { createSetupContext, type SetupContext } from '../../harness/setup/setup-context.ts';
import { findOnPath } from '../../harness/setup/find-executable.ts';
import { openArchive } from '../../sites/archive/open-archive.ts';
import { recordSite, type RecordOptions } from '../../sites/record/record-site.ts';
import { createReplayOrigin } from '../../sites/replay/replay-origin.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import { readFileSync } from 'node:fs';
import { tempFolder } from '../support/temp-folder.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const text = Buffer.from('Some text that is long enough to be compressed. '.repeat(200));
const large = Buffer.alloc(3_000_000, 'noise ');

/** What the recorded site answers, by method and target; the second host is the loopback's address. */
function answers(port: number): Readonly<Record<string, Answer>> {
  const answer = (body: Buffer | string, type: string, ...more: [string, string][]): Answer => ({
    status: 200,
    headers: [['Content-Type', type], ...more],
    body: Buffer.from(body),
  });
  const other = `https://127.0.0.1:${port}`;
  const page = `<!DOCTYPE html><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><img src="${other}/pixel.svg?b=2&a=1"><img src="/pixel.svg?a=1&b=2">
<script>(async () => {
  await fetch('/br.txt'); await fetch('/zstd.txt'); await fetch('/none'); await fetch('/old').then((answer) => answer.text());
  await fetch('/api', { method: 'POST', body: 'one' }); await fetch('/api', { method: 'POST', body: 'two' });
  await fetch('/large.bin', { headers: { range: 'bytes=0-9' } }); await fetch('${other}/large.bin').then((answer) => answer.arrayBuffer());
  await fetch('/gone'); await fetch('/list?access_token=secret&page=1');
})()</script>`;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  return {
    'GET /': answer(
      page,
      'text/html',
      ['Set-Cookie', 'id=1'],
      ['Link', '</a>; rel=x'],
      ['Link', '</b>; rel=y'],
    ),
    'GET /style.css': answer(gzipSync('p{color:red}'), 'text/css', ['Content-Encoding', 'gzip']),
    'GET /pixel.svg?a=1&b=2': answer(svg, 'image/svg+xml'),
    'GET /pixel.svg?b=2&a=1': answer(svg.replace('9', '8'), 'image/svg+xml'),
    'GET /br.txt': answer(brotliCompressSync(text), 'text/plain', ['Content-Encoding', 'br']),
    'GET /zstd.txt': answer(zstdCompressSync(text), 'text/plain', ['Content-Encoding', 'zstd']),
    'GET /none': { status: 204, headers: [['X-Empty', 'yes']], body: Buffer.alloc(0) },
    'GET /old': { status: 302, headers: [['Location', '/new']], body: Buffer.alloc(0) },
    'GET /new': answer('moved here', 'text/plain', ['Alt-Svc', 'h3=":443"']),
    'POST /api': answer('posted', 'application/json'),
    'GET /large.bin': answer(large, 'application/octet-stream', ['Access-Control-Allow-Origin', '*']),
    'GET /gone': { ...answer('gone', 'text/plain'), status: 404 },
    'GET /list?access_token=secret&page=1': answer('[]', 'application/json'),
  };
}

describe('recording and replaying a site', () => {
  let setup: SetupContext;
  let site: Server;
  let port: number;
  let mitmdumpPath: string | undefined;
  let browserPath: string;

  before(async () => {
    setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
    mitmdumpPath = await findOnPath('mitmdump', setup);
    browserPath = (await resolveClient('best', setup)).executablePath;
    const certificates = await openCertificateStore({ cache: setup.cache });
    const files = await certificates.filesFor('localhost');
    const tls = { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile) };
    site = createServer(tls, (request, response) => {
      const answer = answers(port)[`${request.method} ${request.url}`];
      const isRange = request.headers.range !== undefined;
      const body = isRange ? answer?.body.subarray(0, 10) : answer?.body;
      const status = isRange ? 206 : (answer?.status ?? 500);
      const length = isRange ? ['Content-Range', `bytes 0-9/${large.length}`] : [];
      response.writeHead(status, [...(answer?.headers.flat() ?? []), ...length]);
      response.end(body);
    });
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    port = (site.address() as AddressInfo).port;
  });
  after(() => {
    site.closeAllConnections();
    site.close();
  });

  function options(t: TestContext, url: string): RecordOptions | undefined {
    if (mitmdumpPath === undefined) return void t.skip('no mitmdump on PATH');
    return {
      urls: [url],
      outDir: join(tempFolder(t), 'archive'),
      browserPath,
      mitmdumpPath,
      proxyPort: 20_000 + (process.pid % 10_000),
      insecureUpstream: true,
      progress: () => undefined,
      signal: AbortSignal.timeout(120_000),
    };
  }

  test('every body is replayed byte for byte, every header but the connection’s own', async (t) => {
    const recording = options(t, `https://localhost:${port}/`);
    if (recording === undefined) return;
    const { index } = await recordSite(recording);
    assert.equal(index.complete, true);
    assert.equal(index.removed['header set-cookie'], 1);
    assert.equal(index.removed['query access_token'], 1);
    const archive = await openArchive(recording.outDir);
    assert.deepEqual(archive.hosts, ['127.0.0.1', 'localhost']);
    const { server, ledger } = createReplayOrigin({ archive });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.after(() => server.close());
    const origin = (server.address() as AddressInfo).port;
    for (const [name, answer] of Object.entries(answers(port))) {
      const [method = '', target = ''] = name.split(' ');
      const host = target.includes('b=2&a=1') || target === '/large.bin' ? '127.0.0.1' : 'localhost';
      const got = await ask(origin, method, target, host, method === 'POST' ? 'one' : '');
      assert.equal(got.status, answer.status, name);
      assert.deepEqual(got.body, answer.body, name);
      const kept = answer.headers.filter(([header]) => !['Set-Cookie', 'Alt-Svc'].includes(header));
      const sent = got.headers.filter(([header]) => kept.some(([known]) => known === header));
      assert.deepEqual(sent, kept, name);
      assert.ok(
        !got.headers.some(([header]) => /^(set-cookie|alt-svc|transfer-encoding)$/i.test(header)),
        name,
      );
    }
    const range = await ask(origin, 'GET', '/large.bin', 'localhost', '', { range: 'bytes=0-9' });
    assert.deepEqual([range.status, range.body.length], [206, 10]);
    assert.deepEqual(ledger.misses, []);
    assert.equal((await ask(origin, 'GET', '/never', 'localhost', '')).status, 404);
    assert.deepEqual(
      ledger.misses.map(({ url }) => url),
      ['https://localhost/never'],
    );
  });

  test('an address that cannot be reached is said so', async (t) => {
    const recording = options(t, 'https://no-such-host.invalid/');
    if (recording === undefined) return;
    await assert.rejects(
      recordSite(recording),
      (error) =>
        error instanceof H2h3Error && error.code === 'bad-input' && /cannot be loaded/.test(error.message),
    );
    assert.doesNotMatch(
      execFileSync('ps', ['-eo', 'args']).toString(),
      new RegExp(`listen-port ${recording.proxyPort}`),
    );
  });
});

function ask(
  port: number,
  method: string,
  path: string,
  host: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, host } },
      (incoming: IncomingMessage) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: pairs(incoming.rawHeaders),
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}
