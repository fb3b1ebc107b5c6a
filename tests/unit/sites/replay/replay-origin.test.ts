import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { test, type TestContext } from 'node:test';
import { archiveOf, type Given } from '../../../support/archive-of.ts';
import { createReplayOrigin, type ReplayOriginOptions } from '../../../../sites/replay/replay-origin.ts';

/** Asks the origin as a browser would that somebody typed the address into; the answer a byte a character. */
async function asker(
  t: TestContext,
  given: readonly Given[],
  options: Omit<ReplayOriginOptions, 'archive'> = {},
): Promise<(path: string, more?: string) => Promise<string>> {
  const server = createReplayOrigin({ archive: archiveOf(given), ...options });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return async (path, more = '') => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
    const typed = 'Sec-Fetch-Site: none\r\nSec-Fetch-Dest: document\r\n';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n${typed}${more}\r\n`);
    return text(socket);
  };
}

test('a page that leads back to itself is answered as it was then, and anew for the next visitor', async (t) => {
  const ask = await asker(t, [
    { path: '/', status: 302, headers: [['location', '/consent']] },
    { path: '/consent', status: 302, headers: [['location', 'https://site.test/']] },
    { path: '/', text: 'the page' },
  ]);
  for (const visitor of ['first', 'second']) {
    assert.match(await ask('/'), /^HTTP\/1\.1 302 [^]*location: \/consent\r\n/, visitor);
    assert.match(await ask('/consent'), /^HTTP\/1\.1 302 /, visitor);
    assert.match(await ask('/'), /the page$/, visitor);
  }
});

test('a header value keeps its bytes, with a body that comes at once and one that comes in pieces', async (t) => {
  const headers = [['x-name', 'caf\u00e9']] as const;
  const ask = await asker(t, [
    { path: '/whole', headers, text: 'abcd' },
    { path: '/pieces', headers, text: 'abcd', pauses: [[2, 5]] },
  ]);
  for (const path of ['/whole', '/pieces']) assert.match(await ask(path), /x-name: caf\u00e9\r\n/, path);
});

test('heads are as long as browsers have them: cookies of 100 kB, three thousand fields, an answer of 200 kB', async (t) => {
  const long = [['x-long', 'a'.repeat(200_000)]] as const;
  const ask = await asker(t, [{ path: '/', headers: long, text: 'page' }]);
  const many = Array.from({ length: 3000 }, (_, index) => `a${index}: 1\r\n`).join('');
  for (const more of [`Cookie: a=${'b'.repeat(100_000)}\r\n`, many]) {
    const answer = await ask('/', more);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /x-long: a{200000}\r\n[^]*page$/);
  }
});

test('hints of several links in one value go out before the answer, and those that cannot are left out', async (t) => {
  const link = '</a.css>; rel=preload; as=style, </b.js>; rel=preload; as=script, nonsense';
  const ask = await asker(t, [
    { path: '/', hints: [[['link', link]], [['link', 'nonsense']]], text: 'page' },
  ]);
  const told = await ask('/');
  assert.match(
    told,
    /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a\.css>; rel=preload; as=style.*\r\n\r\nHTTP\/1\.1 200 /,
  );
  assert.match(told, /page$/);
});

test('whatever a browser or a server in front escapes, it is the same address', async (t) => {
  const ask = await asker(t, [{ path: '/a|b/%7euser?c|d=%e9', text: 'piped' }]);
  for (const path of ['/a|b/~user?c|d=%E9', '/a%7Cb/%7Euser?c%7Cd=%e9'])
    assert.match(await ask(path), /^HTTP\/1\.1 200 [^]*piped$/, path);
  assert.match(await ask('/a%2Fb'), /^HTTP\/1\.1 404 /);
});

test('pages that no harness steers begin with the settling script, whatever their policy, and keep their encoding', async (t) => {
  const page = '<!DOCTYPE html><html lang=en><head><meta charset=windows-1252><title>own</title>';
  const policy = "default-src 'self'; script-src 'nonce-abc' 'unsafe-inline'";
  const ask = await asker(
    t,
    [
      {
        path: '/',
        headers: [
          ['content-type', 'text/html'],
          ['content-security-policy', policy],
        ],
        text: page,
      },
      {
        path: '/none',
        headers: [
          ['content-type', 'text/html'],
          ['content-security-policy', "script-src 'none'"],
        ],
        text: 'bare',
      },
      {
        path: '/open',
        headers: [
          ['content-type', 'text/html; charset=utf-8'],
          ['content-security-policy', "script-src 'unsafe-inline'"],
        ],
        text: page,
      },
    ],
    { workerScript: 'settle()', inDocuments: true },
  );
  const told = await ask('/');
  assert.match(told, /<head><script>settle\(\);document\.currentScript\.remove\(\);<\/script><meta charset/);
  assert.match(told, /content-type: text\/html; charset=windows-1252\r\n/);
  assert.match(told, /script-src 'nonce-abc' 'unsafe-inline' 'sha256-[\w+/=]{44}'\r\n/);
  assert.match(await ask('/none'), /script-src 'sha256-[^']*'\r\n[^]*<script>settle\(\).*<\/script>bare$/);
  assert.match(
    await ask('/open'),
    /charset=utf-8\r\ncontent-security-policy: script-src 'unsafe-inline'\r\n/,
  );
});

test('an answer that leads over plain http leads over TLS, and so does what its pages name', async (t) => {
  const to = (location: string): Given => ({
    path: `/${location}`,
    status: 302,
    headers: [['Location', location]],
  });
  const ask = await asker(t, [
    to('http://site.test/home'),
    to('http://site.test:80/home?next=http://a.test/'),
    to('HTTP://site.test:8080/home'),
    to('/home'),
    { path: '/refresh', headers: [['refresh', '0; url=http://site.test/home']], text: 'on' },
    { path: '/home', scheme: 'http', status: 301, headers: [['location', 'https://site.test/home']] },
    { path: '/home', headers: [['content-type', 'text/html']], text: 'home' },
  ]);
  for (const [given, expected] of [
    ['http://site.test/home', 'https://site.test/home'],
    ['http://site.test:80/home?next=http://a.test/', 'https://site.test/home?next=http://a.test/'],
    ['HTTP://site.test:8080/home', 'https://site.test:8080/home'],
    ['/home', '/home'],
  ] as const)
    assert.ok((await ask(`/${given}`)).includes(`\r\nLocation: ${expected}\r\n`), given);
  assert.match(await ask('/refresh'), /refresh: 0; url=https:\/\/site\.test\/home\r\n/);
  assert.match(await ask('/home'), /^HTTP\/1\.1 200 [^]*upgrade-insecure-requests\r\n[^]*home$/);
});

test('a script that calls back does so by the name that its page asks with, whatever it was called when recorded', async (t) => {
  const script = [['content-type', 'text/javascript']] as const;
  const zipped = [...script, ['content-encoding', 'gzip'] as const];
  const ask = await asker(t, [
    { path: '/a?callback=jq351_1700000000000', headers: script, text: 'jq351_1700000000000({"a":1})' },
    {
      path: '/b?q=1&cb=f17a2b3c4',
      headers: zipped,
      text: gzipSync("/**/ typeof f17a2b3c4 === 'function' && f17a2b3c4(['f17a2b3c4(']);"),
    },
    { path: '/d?callback=f17a2b3c4', headers: script, text: '/**/'.repeat(70) },
    { path: '/e?callback=f17a2b3c4', headers: script, text: 'typeof  '.repeat(36) },
    { path: '/c?lang=english1&t=1', headers: script, text: 'show("english1")' },
  ]);
  assert.match(await ask('/a?callback=jq351_1800000000009'), /\njq351_1800000000009\(\{"a":1\}\)$/);
  const tested = await ask('/b?q=1&cb=z9y8x7w6');
  assert.match(tested, /\n\/\*\*\/ typeof z9y8x7w6 === 'function' && z9y8x7w6\(\[/);
  assert.doesNotMatch(tested, /content-encoding/);
  for (const path of ['/d', '/e']) assert.match(await ask(`${path}?callback=other`), /^HTTP\/1\.1 200 /);
  assert.match(await ask('/c?lang=german22&t=2'), /\nshow\("english1"\)$/);
});
