import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { createAppOrigin } from '../../../../sites/app/app-origin.ts';
import type { AppLine } from '../../../../src/core/model/app-ledger.ts';
import type { AppRoute } from '../../../../src/core/model/app-under-test.ts';
import { startTinyApp } from '../../../support/tiny-app.ts';

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Way {
  readonly lines: AppLine[];
  readonly port: number;
  readonly ask: (path: string, options?: http.RequestOptions, body?: string) => Promise<Answer>;
}

/** The way to an app, by TCP instead of the socket of a server of ours. */
async function startWay(t: TestContext, origin: string, route: Partial<AppRoute> = {}): Promise<Way> {
  const lines: AppLine[] = [];
  const hosts = [{ host: 'app.h2h3.test', origin }];
  const way = createAppOrigin({ route: { hosts, port: 8443, ...route }, onLine: (line) => lines.push(line) });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  t.after(() => {
    way.closeAllConnections();
    way.close();
  });
  const { port } = way.address() as AddressInfo;
  const ask = async (path: string, options: http.RequestOptions = {}, sent?: string): Promise<Answer> => {
    const headers = { host: 'app.h2h3.test', ...options.headers };
    const request = http.request({ port, path, agent: false, ...options, headers });
    request.end(sent);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  };
  return { lines, port, ask };
}

test('an app behind servers of ours sees who asks, and its own address is mapped back', async (t) => {
  const app = await startTinyApp(t);
  const { ask, lines } = await startWay(t, app.origin);
  const led = await ask('/', {
    headers: { 'x-forwarded-for': '1.2.3.4', via: '2 front', 'accept-language': 'de' },
  });
  assert.equal(led.status, 302);
  assert.equal(led.headers.location, 'https://app.h2h3.test:8443/shop');
  assert.deepEqual(led.headers['set-cookie'], ['seen=1; Domain=app.h2h3.test; Path=/']);
  assert.equal(led.headers['timing-allow-origin'], '*');
  const { host, via, ...asked } = app.asked.get('/') ?? {};
  assert.equal(host, 'app.h2h3.test:8443');
  assert.equal(via, undefined);
  assert.equal(asked['x-forwarded-proto'], 'https');
  assert.equal(asked['x-forwarded-host'], 'app.h2h3.test:8443');
  assert.equal(asked['x-forwarded-for'], '127.0.0.1', 'the same whichever server is in front');
  assert.equal(asked['accept-language'], 'de');
  const other = await ask('/', { headers: { host: 'other.test' } });
  assert.equal(other.status, 421);

  await ask('/api/price');
  const answered = lines.filter((line) => line.kind === 'answered');
  assert.deepEqual(
    answered.map(({ url, status }) => [url, status]),
    [
      ['https://app.h2h3.test:8443/', 302],
      ['https://app.h2h3.test:8443/api/price', 200],
    ],
  );
  assert.ok((answered[1]?.thinkMs ?? 0) >= 55, `the app thinks 60 ms: ${answered[1]?.thinkMs}`);
});

test('an app that wants its own host is asked by that, and told that its own page asks', async (t) => {
  const app = await startTinyApp(t);
  const { ask } = await startWay(t, app.origin, { ownHost: 'own' });
  await ask('/shop', {
    headers: { origin: 'https://app.h2h3.test:8443', referer: 'https://app.h2h3.test:8443/a' },
  });
  const asked = app.asked.get('/shop');
  assert.equal(asked?.host, `localhost:${app.port}`);
  assert.equal(asked?.origin, app.origin);
  assert.equal(asked?.referer, `${app.origin}/a`);
});

test('bodies go through as they come, and are compressed where that is asked for', async (t) => {
  const app = await startTinyApp(t, {
    '/echo': (request, response) =>
      void request.pipe(response.writeHead(201, { 'x-method': request.method })),
    '/coded': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/css', 'content-encoding': 'gzip', 'content-length': 2000 })
        .end(Buffer.alloc(2000)),
  });
  const asItIs = await startWay(t, app.origin);
  const posted = await asItIs.ask('/echo', { method: 'POST' }, 'a=1');
  assert.deepEqual([posted.status, posted.body.toString()], [201, 'a=1']);
  const headers = { 'accept-encoding': 'gzip, deflate, br' };
  const plain = await asItIs.ask('/script.js', { headers });
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.body.length, Number(plain.headers['content-length']));

  const { ask } = await startWay(t, app.origin, { compress: true });
  const coded = await ask('/script.js', { headers });
  assert.equal(coded.headers['content-encoding'], 'br');
  assert.ok(coded.body.length < plain.body.length / 3);
  assert.deepEqual(brotliDecompressSync(coded.body), plain.body);
  assert.equal(
    (await ask('/script.js')).headers['content-encoding'],
    undefined,
    'a client that takes no coding',
  );
  assert.equal((await ask('/style.css', { headers })).headers['content-encoding'], undefined, 'too small');
  assert.equal((await ask('/coded', { headers })).body.length, 2000, 'coded by the app');
});

test('an app that dies is said in an answer and in the ledger', async (t) => {
  const app = await startTinyApp(t, {
    '/half': (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.destroy(), 20);
    },
  });
  const { ask, lines } = await startWay(t, app.origin);
  await assert.rejects(ask('/half'));
  await app.stop();
  const gone = await ask('/shop');
  assert.equal(gone.status, 502);
  assert.match(gone.body.toString(), /^The app does not answer: connect ECONNREFUSED/);
  const failed = lines.filter((line) => line.kind === 'failed');
  assert.deepEqual(
    failed.map(({ url, why }) => [new URL(url).pathname, why.replace(/ECONNREFUSED.*/, 'ECONNREFUSED')]),
    [
      ['/half', 'its answer broke off'],
      ['/shop', 'connect ECONNREFUSED'],
    ],
  );
});

test('what an app sends beyond an answer is no part of the next', async (t) => {
  let connections = 0;
  const app = createServer((socket) => {
    connections++;
    let requests = 0;
    socket.on('error', () => socket.destroy());
    socket.on('data', (asked) => {
      const answer = (body: string): string =>
        `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      if (requests++ > 0) socket.write(answer('surplus'));
      const [, path = ''] = asked.toString('latin1').split(' ');
      socket.write(answer(path) + (path === '/more' ? answer('surplus') : ''));
    });
  });
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.after(() => app.close());
  const { ask } = await startWay(t, `http://127.0.0.1:${(app.address() as AddressInfo).port}`);
  const paths = ['/a', '/b', '/more', '/c'];
  const bodies: string[] = [];
  for (const path of paths) bodies.push((await ask(path)).body.toString());
  assert.deepEqual(bodies, paths);
  assert.equal(connections, paths.length, 'each request has a connection of its own');
});

test('web sockets go through, and are named', async (t) => {
  const app = await startTinyApp(t);
  const { lines, port } = await startWay(t, app.origin);
  const headers = {
    host: 'app.h2h3.test',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const request = http.request({ port, path: '/live', headers });
  request.end();
  const [answer, socket, head] = (await once(request, 'upgrade')) as [
    http.IncomingMessage,
    NodeJS.ReadWriteStream & { destroy(): void },
    Buffer,
  ];
  assert.equal(answer.statusCode, 101);
  const [first] = head.length > 0 ? [head] : ((await once(socket, 'data')) as [Buffer]);
  assert.match(first.toString(), /\bhello\b/);
  socket.destroy();
  await sleep(20);
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ['socket'],
  );
  assert.equal(app.asked.get('/live')?.['x-forwarded-proto'], 'https');
});
