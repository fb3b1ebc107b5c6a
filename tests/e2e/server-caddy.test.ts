import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createCaddyProvider } from '../../harness/servers/caddy.ts';
import type { RunningServer, ServerStartOptions } from '../../harness/servers/server.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

async function startOrigin(
  t: TestContext,
  changes: Partial<ServerStartOptions> = {},
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
  const server = await createCaddyProvider(setup).start({
    roots: [{ host: 'a.test', directory: site }],
    address: '127.0.0.1',
    port: null,
    certificates: await openCertificateStore({ cache: setup.cache }),
    workDir: path.join(folder, 'server'),
    launchPrefix: [],
    environment: process.env as Record<string, string>,
    ...changes,
  });
  t.after(() => server.stop());
  return server;
}

interface Answer {
  readonly headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined };
  readonly body: string;
}

/** One request over HTTP/2 with `host` as the name asked for; the connection is always to `a.test`. */
function request(server: RunningServer, file: string, headers: Record<string, string> = {}): Promise<Answer> {
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

const isUsage = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof H2h3Error && error.code === 'usage');
  assert.match(error.message, pattern);
  return true;
};

test('files come with the stated headers, precompressed where the browser takes that', async (t) => {
  const server = await startOrigin(t);
  const page = await request(server, '/');
  assert.equal(page.body, '<h1>page</h1>');
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page.headers['access-control-allow-origin'], '*');
  assert.equal(page.headers['timing-allow-origin'], '*');
  assert.equal(page.headers['cache-control'], 'no-cache', 'documents are asked for again at each visit');
  assert.equal(page.headers['alt-svc'], `h3=":${server.port}"; ma=2592000`);
  assert.equal((await request(server, '/video.mpd')).headers['content-type'], 'application/dash+xml');
  const bodies = await Promise.all(
    ['br, gzip', 'gzip', 'identity'].map((encoding) =>
      request(server, '/a.js?x=1', { 'accept-encoding': encoding }),
    ),
  );
  assert.deepEqual(
    bodies.map(({ body }) => body),
    ['brotli', 'gzip', 'plain'],
  );
  assert.ok(bodies.every(({ headers }) => /max-age=\d+/.test(headers['cache-control'] ?? '')));
  assert.ok(bodies.every(({ headers }) => headers['content-type'] === 'text/javascript; charset=utf-8'));
});

test('what is absent is 404 with the same headers, a folder is not listed, another host is 421', async (t) => {
  const server = await startOrigin(t);
  const absent = await request(server, '/absent.js');
  assert.equal(absent.headers[':status'], 404);
  assert.equal(absent.headers['timing-allow-origin'], '*');
  assert.equal((await request(server, '/empty/')).headers[':status'], 404);
  assert.equal((await request(server, '/', { ':authority': 'b.test' })).headers[':status'], 421);
  assert.equal((await request(server, '/../../server/caddy.json')).headers[':status'], 404);
});

test('the log from a mark on has what was asked since, with bytes and protocol', async (t) => {
  const server = await startOrigin(t);
  await request(server, '/a.js');
  const mark = await server.mark();
  await request(server, '/?q=1');
  const entries = await server.entriesSince(mark, ['a.test/?q=1']);
  assert.deepEqual(
    entries.map(({ host, path: file, protocol, status, bytes }) => ({ host, file, protocol, status, bytes })),
    [{ host: 'a.test', file: '/?q=1', protocol: 'h2', status: 200, bytes: 13 }],
  );
  assert.ok(Math.abs((entries[0]?.startEpochMs ?? 0) - Date.now()) < 60_000);
});

test('the server says which congestion control each protocol runs, and stops when told to', async (t) => {
  const server = await startOrigin(t);
  assert.equal(server.description.quicCongestionControl, 'reno');
  assert.match(server.description.version, /^2\.\d+\.\d+/);
  assert.match(server.description.tcpCongestionControl, /^[a-z]+$/);
  assert.equal(server.alive(), true);
  await server.stop();
  assert.equal(server.alive(), false);
  await assert.rejects(request(server, '/'));
});

test('on Linux with perl TCP runs the algorithm of QUIC without a change to the machine', async (t) => {
  const file = '/proc/sys/net/ipv4/tcp_congestion_control';
  if (process.platform !== 'linux') return t.skip('only Linux has this');
  const before = readFileSync(file, 'utf8');
  const server = await startOrigin(t);
  if (/perl/.test(server.description.tcpCongestionControlNote ?? '')) return t.skip('there is no perl here');
  assert.equal(server.description.tcpCongestionControl, 'reno');
  assert.equal(readFileSync(file, 'utf8'), before);
  const unchanged = await startOrigin(t, { tcpCongestionControl: null });
  assert.equal(unchanged.description.tcpCongestionControl, before.trim());
  const refused = await startOrigin(t, { tcpCongestionControl: 'no-such-algorithm' });
  assert.equal(refused.description.tcpCongestionControl, before.trim());
  assert.match(refused.description.tcpCongestionControlNote ?? '', /not no-such-algorithm/);
});

test('a port that TCP or UDP holds already is a usage error that names the holder', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  t.after(() => holder.close());
  const { port } = holder.address() as AddressInfo;
  await assert.rejects(startOrigin(t, { port }), isUsage(new RegExp(`Port ${port} is in use: .*TCP`)));
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.after(() => socket.close());
  const udpPort = socket.address().port;
  await assert.rejects(
    startOrigin(t, { port: udpPort }),
    isUsage(new RegExp(`Port ${udpPort} is in use: .*UDP`)),
  );
});

test('two origins cannot share a port unnoticed', async (t) => {
  const first = await startOrigin(t);
  await assert.rejects(startOrigin(t, { port: first.port }), isUsage(/in use: caddy \(process \d+\)/));
});

test('a server that does not start is an error with its last words', async (t) => {
  const prefix = path.join(tempFolder(t), 'prefix.sh');
  // Lets the programs that only look through, and breaks the start of the server itself.
  writeFileSync(
    prefix,
    '#!/bin/sh\ncase "$*" in *" run --config "*) echo "no such luck" >&2; exit 7;; esac\nexec "$@"\n',
    {
      mode: 0o755,
    },
  );
  await assert.rejects(startOrigin(t, { launchPrefix: [prefix] }), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'process-failed');
    assert.match(error.context.stderrTail ?? '', /no such luck/);
    return true;
  });
});

test('with a prefix the server runs, is probed and is proven inside a network namespace', async (t) => {
  const name = `h2h3-test-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0)
    return t.skip('no right to make network namespaces');
  t.after(() => spawnSync('ip', ['netns', 'delete', name]));
  const inside = ['ip', 'netns', 'exec', name];
  spawnSync(inside[0] ?? '', [...inside.slice(1), 'ip', 'link', 'set', 'lo', 'up']);
  const server = await startOrigin(t, { launchPrefix: inside });
  await assert.rejects(request(server, '/'), 'it must not be reachable from outside');
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(server.port, '127.0.0.1', resolve));
  await new Promise((resolve) => socket.close(resolve));
  assert.equal(server.alive(), true);
  await server.stop();
  assert.equal(server.alive(), false);
});
