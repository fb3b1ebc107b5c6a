import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAppOrigin } from '../../../../sites/app/app-origin.ts';
import { bringsBody, endToEnd, whyNoAnswer, withoutFraming } from '../../../../sites/app/hop-rules.ts';
import type { AppLine } from '../../../../src/model/app-ledger.ts';

/** More than an answer takes that is there at once. */
const answerLimitMs = 5000;

describe('what goes on from hop to hop', () => {
  test('no field of a connection, and none that its Connection names (RFC 9110, 7.6.1)', () => {
    const kept = endToEnd([
      ['Connection', 'close, X-Hop'],
      ['x-hop', '1'],
      ['Keep-Alive', '5'],
      ['TE', 'trailers'],
      ['Proxy-Authorization', 'Basic eDp5'],
      ['Upgrade', 'h2c'],
      ['Cookie', 'a=b'],
    ]);
    assert.deepEqual(kept, [['Cookie', 'a=b']]);
  });

  test('a request has a body where its framing says so, whatever its method (RFC 9112, 6.3)', () => {
    assert.equal(bringsBody({ headers: { 'content-length': '5' } }), true);
    assert.equal(bringsBody({ headers: { 'transfer-encoding': 'chunked' } }), true);
    assert.equal(bringsBody({ headers: { 'content-length': '0' } }), false);
    assert.equal(bringsBody({ headers: {} }), false);
  });

  test('framing is made anew, and 204 has no length (RFC 9110, 8.6)', () => {
    const headers = [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '5'],
      ['ETag', '"1"'],
    ] as const;
    assert.deepEqual(withoutFraming(200, headers), [
      ['Content-Length', '5'],
      ['ETag', '"1"'],
    ]);
    assert.deepEqual(withoutFraming(204, headers), [['ETag', '"1"']]);
  });

  test('a status that ends no request is no answer (RFC 9110, 15)', () => {
    for (const statusCode of [0, 99, 100, 101, 199, 1000])
      assert.match(whyNoAnswer({ statusCode }) ?? '', /status \d{3,4}, which is no final one/);
    for (const statusCode of [200, 304, 404, 599, 999]) assert.equal(whyNoAnswer({ statusCode }), undefined);
  });
});

interface Hostile {
  /** What came back for a raw request, to the end of its connection. */
  readonly ask: (request: string) => Promise<string>;
  /** What the app was sent, by connection. */
  readonly asked: string[];
  readonly lines: AppLine[];
}

/** An app that says these bytes to every request, and the way to it. */
async function startHostile(t: TestContext, says: (socket: Socket) => void): Promise<Hostile> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const app = net.createServer((socket) => {
    const index = asked.push('') - 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      asked[index] += data.toString('latin1');
      if (asked[index]?.includes('\r\n\r\n') === true) says(socket);
    });
  });
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  const lines: AppLine[] = [];
  const { port: appPort } = app.address() as AddressInfo;
  const way = createAppOrigin({
    route: { hosts: [{ host: 'app.h2h3.test', origin: `http://127.0.0.1:${appPort}` }], port: 8443 },
    onLine: (line) => lines.push(line),
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  const { port } = way.address() as AddressInfo;
  t.after(() => {
    for (const socket of open) socket.destroy();
    way.closeAllConnections();
    way.close();
    app.close();
  });
  const ask = async (request: string): Promise<string> => {
    const socket = net.connect(port, '127.0.0.1');
    open.add(socket);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write(Buffer.from(request, 'latin1'));
    const closed = once(socket, 'close').then(() => true);
    assert.ok(
      await Promise.race([closed, sleep(answerLimitMs, false, { ref: false })]),
      `no end of: ${JSON.stringify(answer)}`,
    );
    return answer;
  };
  return { ask, asked, lines };
}

const get = 'GET /x HTTP/1.1\r\nHost: app.h2h3.test:8443\r\nConnection: close\r\n\r\n';
const socketRequest =
  'GET /ws HTTP/1.1\r\nHost: app.h2h3.test:8443\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n';

/** What an app says, and the status that its browser gets; 502: the trial is told what was wrong. */
const answers: readonly (readonly [what: string, says: string, status: number])[] = [
  ['a control character in the reason', 'HTTP/1.1 200 a\x01b\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['a NUL in the reason', 'HTTP/1.1 200 a\0b\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['colours in the reason', 'HTTP/1.1 200 \x1b[31mred\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['letters beyond ASCII in the reason', 'HTTP/1.1 200 \xe9\xe2\x9c\x93\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['status 000', 'HTTP/1.1 000 x\r\nContent-Length: 2\r\n\r\nhi', 502],
  ['status 099', 'HTTP/1.1 099 x\r\nContent-Length: 2\r\n\r\nhi', 502],
  ['status 1000', 'HTTP/1.1 1000 x\r\nContent-Length: 2\r\n\r\nhi', 502],
  ['status 999', 'HTTP/1.1 999 x\r\nContent-Length: 2\r\n\r\nhi', 999],
  ['101 unasked', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhi', 502],
  ['100 before 200', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 200],
  [
    'lengths that contradict each other',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!',
    502,
  ],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    502,
  ],
  ['a NUL in a field', 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nhi', 502],
  ['204 with a length and a body', 'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nhello', 204],
  ['a head of 200 kB', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200_000)}\r\nContent-Length: 2\r\n\r\nhi`, 200],
  [
    'a head of more than 256 kB',
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(300_000)}\r\nContent-Length: 2\r\n\r\nhi`,
    502,
  ],
];

describe('an app that answers', () => {
  for (const [what, says, status] of answers)
    test(`${what} costs its trial at most`, async (t) => {
      const { ask, lines } = await startHostile(
        t,
        (socket) => void socket.write(Buffer.from(says, 'latin1')),
      );
      const answer = await ask(get);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [ -~]*\r\n`));
      const failures = lines.filter(({ kind }) => kind === 'failed');
      assert.equal(failures.length, status === 502 ? 1 : 0, JSON.stringify(lines));
      if (status === 204) assert.doesNotMatch(answer, /content-length|hello/i);
    });

  test('what it was asked is told where it gives no answer', async (t) => {
    const { ask, lines } = await startHostile(t, (socket) => void socket.write('HTTP/1.1 000 x\r\n\r\n'));
    await ask(get);
    const [failure] = lines;
    assert.ok(failure?.kind === 'failed');
    assert.equal(failure.url, 'https://app.h2h3.test:8443/x');
    assert.match(failure.why, /status 000, which is no final one/);
  });
});

describe('a request with a body', () => {
  for (const [what, framing, body] of [
    ['of a length', 'Content-Length: 5', 'hello'],
    ['in chunks', 'Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n'],
  ] as const)
    test(`by GET, ${what}, comes with its body, and what follows is another request`, async (t) => {
      const { ask, asked } = await startHostile(t, (socket) => {
        // As frameworks do, the answer comes when the body is whole.
        setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 100);
      });
      const head = `GET /a HTTP/1.1\r\nHost: app.h2h3.test\r\n${framing}\r\nConnection: close\r\n\r\n`;
      assert.match(await ask(head + body), /^HTTP\/1\.1 200 /);
      assert.match(await ask(get), /^HTTP\/1\.1 200 /);
      assert.equal(asked.length, 2, 'a connection each');
      assert.ok(asked[0]?.endsWith(`\r\n\r\n${body}`), asked[0]);
      assert.match(asked[1] ?? '', /^GET \/x /);
    });

  test('that is a request itself smuggles nothing', async (t) => {
    const { ask, asked } = await startHostile(
      t,
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    const hidden = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    await ask(
      `GET /first HTTP/1.1\r\nHost: app.h2h3.test\r\nContent-Length: ${hidden.length}\r\nConnection: close\r\n\r\n${hidden}`,
    );
    await ask(get);
    assert.deepEqual(
      asked.map((text) => text.split(' ')[1]),
      ['/first', '/x'],
    );
  });
});

describe('a web socket', () => {
  test('that an app refuses in chunks ends with its connection, and without their framing', async (t) => {
    const { ask } = await startHostile(
      t,
      (socket) =>
        void socket.write('HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    );
    assert.equal(await ask(socketRequest), 'HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\nhello');
  });

  for (const [what, says, begins] of [
    [
      'is opened with a control character',
      'HTTP/1.1 101 a\x01b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nframe',
      'HTTP/1.1 101 Switching Protocols\r\n',
    ],
    [
      'is answered with status 000',
      'HTTP/1.1 000 x\r\nContent-Length: 1\r\n\r\nx',
      'HTTP/1.1 502 Bad Gateway\r\n',
    ],
    ['is answered with garbage', '\x00\x01\x02', 'HTTP/1.1 502 Bad Gateway\r\n'],
  ] as const)
    test(`that ${what} ends nothing but itself`, async (t) => {
      const { ask } = await startHostile(t, (socket) => {
        socket.write(Buffer.from(says, 'latin1'));
        setTimeout(() => socket.destroy(), 200);
      });
      const answer = await ask(socketRequest);
      assert.ok(answer.startsWith(begins), answer);
    });
});

test('who asks is told by us alone, in whatever spelling', async (t) => {
  const { ask, asked } = await startHostile(
    t,
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  );
  await ask(
    get.replace('\r\n\r\n', '\r\nX_Forwarded_For: 6.6.6.6\r\nX-Real-IP: 6.6.6.6\r\nX.Own_Field: 1\r\n\r\n'),
  );
  const [sent = 'nothing'] = asked;
  assert.match(sent, /X\.Own_Field: 1/);
  assert.doesNotMatch(sent, /6\.6\.6\.6/);
});
