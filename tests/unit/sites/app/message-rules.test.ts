import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppLine } from '../../../../src/core/model/app-ledger.ts';
import { createAppOrigin } from '../../../../sites/app/app-origin.ts';
import { maxHeaderBytes } from '../../../../src/core/model/message-head.ts';
import { shown } from '../../../../sites/app/message-rules.ts';

/** An app that answers with bytes of the test, and the way to it. */
interface Rig {
  /** What the app says to each request; called with the request as far as it has come. */
  say: (socket: Socket, request: string) => void;
  /** All that the app was sent, by connection. */
  readonly heard: string[];
  readonly lines: AppLine[];
  /** Sends bytes over a connection of their own. @returns what comes back until it is closed, or nothing comes for a while */
  readonly ask: (bytes: string) => Promise<string>;
}

const silenceMs = 300;

async function startRig(t: TestContext): Promise<Rig> {
  const rig: Rig = {
    say: (socket) => socket.write(fine),
    heard: [],
    lines: [],
    ask: (bytes) => askAt(port, bytes),
  };
  const sockets = new Set<Socket>();
  const app = createServer((socket) => {
    sockets.add(socket);
    const own = rig.heard.push('') - 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      rig.heard[own] += chunk.toString('latin1');
      rig.say(socket, rig.heard[own] ?? '');
    });
  });
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const way = createAppOrigin({
    route: { hosts: [{ host: 'app.h2h3.test', origin }], port: 8443 },
    onLine: (line) => rig.lines.push(line),
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  const { port } = way.address() as AddressInfo;
  t.after(() => {
    sockets.forEach((socket) => socket.destroy());
    app.close();
    way.closeAllConnections();
    way.close();
  });
  return rig;
}

async function askAt(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.write(bytes, 'latin1');
  socket.setTimeout(silenceMs, () => socket.destroy());
  await once(socket, 'close');
  return answer;
}

const get = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: app.h2h3.test\r\nConnection: close\r\n${more}\r\n`;
const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const withHead = (head: string): string => `HTTP/1.1 200 OK\r\n${head}Content-Length: 2\r\n\r\nok`;

/** An answer passes: its beginning, and what must not be in it; or it fails: what is said of it. */
type Outcome = { readonly passes: RegExp; readonly without?: RegExp } | { readonly fails: RegExp };

const passes = (passes: RegExp, without?: RegExp): Outcome =>
  without === undefined ? { passes } : { passes, without };
const fails = (fails: RegExp): Outcome => ({ fails });
const ok = /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/;

/** By section of RFC 9110 (meaning) or RFC 9112 (HTTP/1.1). */
const answers: readonly (readonly [rule: string, what: string, answer: string, Outcome])[] = [
  [
    '9112, 4',
    'a control character in the reason',
    'HTTP/1.1 200 a\x01b\r\nContent-Length: 2\r\n\r\nok',
    passes(ok),
  ],
  ['9112, 4', 'an escape in the reason', 'HTTP/1.1 200 \x1b[31m\r\nContent-Length: 2\r\n\r\nok', passes(ok)],
  ['9112, 4', 'a null in the reason', 'HTTP/1.1 200 a\0b\r\nContent-Length: 2\r\n\r\nok', passes(ok)],
  ['9112, 4', 'a letter of Latin 1', 'HTTP/1.1 200 \xe9\r\nContent-Length: 2\r\n\r\nok', passes(ok)],
  ['9110, 15', 'status 000', 'HTTP/1.1 000 x\r\nContent-Length: 2\r\n\r\nok', fails(/the status 000$/)],
  ['9110, 15', 'status 099', 'HTTP/1.1 099 x\r\nContent-Length: 2\r\n\r\nok', fails(/the status 099$/)],
  [
    '9110, 15',
    'status 1000',
    'HTTP/1.1 1000 x\r\nContent-Length: 2\r\n\r\nok',
    fails(/begins with "HTTP\/1.1 1000 x"$/),
  ],
  ['9110, 15', 'status 999', 'HTTP/1.1 999 x\r\nContent-Length: 2\r\n\r\nok', passes(/^HTTP\/1\.1 999 /)],
  ['9110, 15', 'our own 599', 'HTTP/1.1 599 x\r\nContent-Length: 2\r\n\r\nok', fails(/the status 599/)],
  ['9110, 15.2', 'hints before the answer', `HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n${fine}`, passes(ok)],
  [
    '9110, 15.2.2',
    'an unasked switch',
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhi',
    fails(/it switched to "x", for which it was not asked$/),
  ],
  [
    '9110, 15.2.2',
    'a switch to nothing',
    'HTTP/1.1 101 Switching\r\n\r\nhi',
    fails(/it (switched to no protocol|answered with the status 101)/),
  ],
  [
    '9110, 7.6.1',
    'what Connection names',
    withHead('Connection: close, x-own\r\nX-Own: 1\r\n'),
    passes(ok, /x-own/i),
  ],
  [
    '9110, 7.6.1',
    'fields of a connection',
    withHead('Keep-Alive: 5\r\nUpgrade: h2c\r\n'),
    passes(ok, /keep-alive|h2c/i),
  ],
  [
    '9112, 6.1',
    'another coding than chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    fails(/the transfer coding "gzip", for which it was not asked$/),
  ],
  [
    '9112, 6.1',
    'a length beside chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    fails(/begins with "HTTP\/1.1 200 OK"$/),
  ],
  [
    '9112, 6.3',
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!',
    fails(/Parse Error/),
  ],
  [
    '9112, 6.3',
    'no length that is one',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok',
    fails(/Parse Error/),
  ],
  [
    '9110, 8.6',
    'a length of no content',
    'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n',
    passes(/^HTTP\/1\.1 204 /, /content-length/i),
  ],
  [
    '9110, 8.6',
    'the length of what is unchanged',
    'HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\n',
    passes(/^HTTP\/1\.1 304 [^]*Content-Length: 5\r\n/),
  ],
  ['9112, 5.2', 'a folded line', withHead('X: a\r\n b\r\n'), fails(/Parse Error/)],
  ['9110, 5.5', 'a null in a field', withHead('X: a\0b\r\n'), fails(/Parse Error/)],
  ['9110, 5.1', 'a name with a space', withHead('X Y: b\r\n'), fails(/Parse Error/)],
  ['9112, 2.2', 'line feeds alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', fails(/Parse Error/)],
  ['9112, 2.3', 'no head', '<html>hi', fails(/begins with "\\u2026<html>hi"$/)],
  [
    '9110, 5.4',
    'a field of 200 kB',
    withHead(`X: ${'a'.repeat(200_000)}\r\n`),
    passes(/X: a{200000}\r\n[^]*ok$/),
  ],
  [
    '9110, 5.4',
    'a field that is too long',
    withHead(`X: ${'a'.repeat(maxHeaderBytes)}\r\n`),
    fails(/overflow/i),
  ],
  [
    '9110, 5.4',
    'three thousand fields',
    withHead(Array.from({ length: 3000 }, (_, index) => `a${index}: 1\r\n`).join('')),
    passes(/a2999: 1\r\n/),
  ],
  [
    'h2h3',
    'names that are ours',
    withHead('X-H2H3-Via: evil\r\nX-H2h3-Abort: 1\r\n'),
    passes(ok, /evil|abort/i),
  ],
];

const failuresOf = ({ lines }: Rig): string[] =>
  lines.flatMap((line) => (line.kind === 'failed' ? [line.why] : []));

for (const [rule, what, answer, outcome] of answers)
  test(`an answer by the rules (${rule}): ${what}`, async (t) => {
    const rig = await startRig(t);
    rig.say = (socket) => void socket.write(answer, 'latin1');
    const got = await rig.ask(get('/'));
    if ('fails' in outcome) {
      assert.match(got, /^HTTP\/1\.1 502 /);
      const [why, ...more] = failuresOf(rig);
      assert.match(why ?? '', outcome.fails);
      assert.deepEqual(more, []);
    } else {
      assert.match(got, outcome.passes);
      if (outcome.without !== undefined) assert.doesNotMatch(got, outcome.without);
      assert.deepEqual(failuresOf(rig), []);
    }
    rig.say = (socket) => void socket.write(fine);
    assert.match(await rig.ask(get('/next')), ok, 'the next request has its own answer');
  });

test('what an app sends behind an answer is no answer to the next request', async (t) => {
  const rig = await startRig(t);
  rig.say = (socket) =>
    void socket.write(`${fine}HTTP/1.1 200 OK\r\nX: evil\r\nContent-Length: 4\r\n\r\nevil`);
  assert.match(await rig.ask(get('/one')), ok);
  rig.say = (socket) => void socket.write(fine);
  await sleep(50);
  for (const path of ['/two', '/three']) assert.match(await rig.ask(get(path)), ok);
});

test('an app that speaks unasked, between two requests, is heard by neither', async (t) => {
  const rig = await startRig(t);
  const late = 'HTTP/1.1 200 OK\r\nX: evil\r\nContent-Length: 4\r\n\r\nevil';
  for (const [index, surplus] of [late, late.slice(0, 20), '\r\n', 'x'].entries()) {
    rig.say = (socket) => {
      socket.write(fine);
      setTimeout(() => socket.write(surplus), 40);
    };
    assert.match(await rig.ask(get(`/first-${index}`)), ok);
    await sleep(100);
    rig.say = (socket) => void socket.write(fine);
    assert.match(await rig.ask(get(`/second-${index}`)), ok);
    const own = rig.heard.find((heard) => heard.includes(`/second-${index}`)) ?? '';
    assert.ok(!own.includes(`/first-${index}`), 'the next request has another connection');
  }
});

/** What an app is sent of requests with bodies, whatever their method. */
const bodies: readonly (readonly [what: string, request: string, expected: RegExp])[] = [
  [
    'a GET with a length',
    get('/', 'Content-Length: 5\r\n') + 'hello',
    /Content-Length: 5\r\n[^]*\r\n\r\nhello$/,
  ],
  [
    'a GET in chunks',
    `${get('/', 'Transfer-Encoding: chunked\r\n')}5\r\nhello\r\n0\r\n\r\n`,
    /Transfer-Encoding: chunked\r\n[^]*\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/,
  ],
  [
    'a DELETE',
    `${get('/', 'Content-Length: 5\r\n').replace('GET', 'DELETE')}hello`,
    /^DELETE [^]*\r\n\r\nhello$/,
  ],
  [
    'an OPTIONS',
    `${get('/', 'Content-Length: 5\r\n').replace('GET', 'OPTIONS')}hello`,
    /^OPTIONS [^]*\r\n\r\nhello$/,
  ],
  ['a POST without a body', get('/').replace('GET', 'POST'), /^POST [^]*\r\n\r\n(?:0\r\n\r\n)?$/],
];

for (const [what, request, expected] of bodies)
  test(`a body goes on as it came (RFC 9112, 6.3): ${what}`, async (t) => {
    const rig = await startRig(t);
    rig.say = (socket, heard) => {
      if (expected.test(heard)) socket.write(fine);
    };
    assert.match(await rig.ask(request), ok, rig.heard.join('|'));
  });

test('a request within a body is none, and connections stay in step', async (t) => {
  const rig = await startRig(t);
  const hidden = get('/hidden');
  await rig.ask(get('/first', `Content-Length: ${hidden.length}\r\n`) + hidden);
  for (const path of ['/second', '/third']) assert.match(await rig.ask(get(path)), ok);
  const lines = rig.heard.join('').match(/^GET .* HTTP/gm) ?? [];
  assert.deepEqual(
    lines.filter((line) => !line.includes('/hidden')),
    ['GET /first HTTP', 'GET /second HTTP', 'GET /third HTTP'],
  );
  const [first = ''] = rig.heard;
  assert.ok(first.endsWith(hidden) && first.includes(`Content-Length: ${hidden.length}`));
});

/** Fields by which the reader of a message knows its end, and the site that it is for. */
const framingNames = [
  'Content-Length',
  'Host',
  'Transfer-Encoding',
  'Trailer',
  'Connection',
  'Upgrade',
  'TE',
];

for (const name of framingNames)
  test(`what frames a message stays as it is when Connection names it (RFC 9110, 7.6.1): ${name}`, async (t) => {
    const rig = await startRig(t);
    rig.say = (socket, heard) => {
      if (heard.endsWith('hello') || heard.endsWith('0\r\n\r\n'))
        socket.write(withHead(`Connection: ${name.toLowerCase()}, ${name}\r\n`));
    };
    const naming = (more: string): string => get('/', more).replace('close', `close, ${name.toLowerCase()}`);
    const withLength = await rig.ask(naming('Content-Length: 5\r\n') + 'hello');
    assert.match(withLength, /^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 2\r\n[^]*\r\n\r\nok$/);
    const chunked = naming('Transfer-Encoding: chunked\r\n') + '5\r\nhello\r\n0\r\n\r\n';
    assert.match(await rig.ask(chunked), ok);
    const [first = '', second = ''] = rig.heard;
    assert.match(first, /\r\nHost: [^]*Content-Length: 5\r\n[^]*\r\n\r\nhello$/);
    assert.match(second, /\r\nHost: [^]*Transfer-Encoding: chunked\r\n[^]*\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/);
  });

const requests: readonly (readonly [rule: string, what: string, request: string, status: number])[] = [
  ['9112, 3.2', 'two hosts', get('/', 'Host: other\r\n'), 400],
  ['9112, 3.2.2', 'the target of a proxy', get('http://127.0.0.1:22/'), 400],
  ['9110, 7.4', 'a foreign host', get('/').replace('app.h2h3.test', 'other.test'), 421],
  [
    '9112, 6.1',
    'a length beside chunks',
    get('/', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'),
    400,
  ],
];

for (const [rule, what, request, status] of requests)
  test(`a request that is not handed on (${rule}): ${what}`, async (t) => {
    const rig = await startRig(t);
    assert.match(await rig.ask(request), new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.deepEqual(rig.heard, []);
  });

test('an app is told what a client says of itself, by no name of servers in front, also in CGI’s spelling', async (t) => {
  const rig = await startRig(t);
  const said = 'X-Own_Name: 1\r\nX.Dotted: 2\r\nX: \xff\r\n';
  const left =
    'X-Forwarded-For: 6\r\nX_Forwarded_For: 6\r\nX_Real_IP: 6\r\nForwarded: for=6\r\nX-H2h3-Abort: 6\r\n';
  const ofConnection = 'TE: trailers\r\nKeep-Alive: 6\r\nProxy-Authorization: Basic 6\r\n';
  await rig.ask(get('/', said + left + ofConnection).replace('close', 'close, x-named\r\nX-Named: 6'));
  const [heard = ''] = rig.heard;
  for (const line of said.trim().split('\r\n'))
    assert.ok(heard.includes(`${line}\r\n`), `${line} in ${heard}`);
  assert.doesNotMatch(heard, /: 6|for=6|Basic 6|trailers/);
});

const upgrade = (protocol = 'websocket'): string =>
  `GET /ws HTTP/1.1\r\nHost: app.h2h3.test\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: x\r\n\r\n`;

const switches: readonly (readonly [what: string, answer: string, Outcome])[] = [
  [
    'taken, with a control character in the reason',
    'HTTP/1.1 101 a\x01b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: y\r\n\r\nframe',
    passes(/^HTTP\/1\.1 101 Switching Protocols\r\n[^]*Sec-WebSocket-Accept: y\r\n\r\nframe$/, /\x01/),
  ],
  [
    'refused in chunks',
    'HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    passes(/^HTTP\/1\.1 401 [^]*Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/),
  ],
  ['refused with a length', fine, passes(ok, /chunked/)],
  [
    'taken to another protocol',
    'HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\nframe',
    fails(/it switched to "h2c", for which it was not asked$/),
  ],
  ['status 000', 'HTTP/1.1 000 x\r\nContent-Length: 1\r\n\r\nx', fails(/the status 000$/)],
  ['no answer', '\x00\x01\x02', fails(/begins with "\\u2026\\u0000\\u0001\\u0002"$/)],
];

for (const [what, answer, outcome] of switches)
  test(`a web socket (RFC 9110, 7.8): ${what}`, async (t) => {
    const rig = await startRig(t);
    rig.say = (socket) => void socket.write(answer, 'latin1');
    const got = await rig.ask(upgrade());
    if ('fails' in outcome) {
      assert.match(got, /^HTTP\/1\.1 502 /);
      assert.match(failuresOf(rig).join('|'), outcome.fails);
    } else {
      assert.match(got, outcome.passes);
      if (outcome.without !== undefined) assert.doesNotMatch(got, outcome.without);
    }
    rig.say = (socket) => void socket.write(fine);
    assert.match(await rig.ask(get('/next')), ok);
  });

test('what is quoted of an app is short and prints', () => {
  assert.equal(shown('a\u001B[31m\x7f\xe9'), '"a\\u001b[31m\\u007f\\u00e9"');
  assert.ok(shown('x'.repeat(5000)).length < 100);
});
