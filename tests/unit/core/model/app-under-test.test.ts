import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appLedgerOf, type AppLine } from '../../../../src/core/model/app-ledger.ts';
import { appPlaces } from '../../../../src/core/model/app-under-test.ts';

test('the first address is the page, those of its origin are further pages, and named ones are further hosts', () => {
  const { hosts, pages } = appPlaces([
    'http://localhost:3000/a',
    'http://localhost:3000/b?c=1',
    'api=http://localhost:4000',
  ]);
  assert.deepEqual(
    pages.map(({ href }) => href),
    ['http://localhost:3000/a', 'http://localhost:3000/b?c=1'],
  );
  assert.deepEqual(hosts, [
    { host: 'app.h2h3.test', origin: 'http://localhost:3000' },
    { host: 'api.app.h2h3.test', origin: 'http://localhost:4000' },
  ]);
  assert.equal(appPlaces(['shop=http://localhost:1/']).hosts[0]?.host, 'shop.app.h2h3.test');
});

test('what is no address of an app is said with what helps', () => {
  const refused = (addresses: string[], message: RegExp, next?: RegExp): void =>
    assert.throws(() => appPlaces(addresses), {
      code: 'usage',
      message,
      ...(next === undefined ? {} : { next }),
    });
  refused(
    ['localhost:3000'],
    /^Not an address of an app: localhost:3000$/,
    /Did you mean --app http:\/\/localhost:3000/,
  );
  refused(['https://localhost:3000/x'], /speaks TLS/, /--url https:\/\/localhost:3000\/x$/);
  refused(
    ['http://me:word@localhost/'],
    /^an address with a name and a password is not measured: localhost$/,
  );
  refused(
    ['http://a:1/', 'http://b:2/'],
    /^http:\/\/b:2 is another host .* has no name$/,
    /--app api=http:\/\/b:2/,
  );
  refused(['http://a:1/', 'x=http://b:2/', 'x=http://c:3/'], /two hosts .* name x/);
});

test('the ledger of an app has what it thought, and what it left open', () => {
  const line = { url: 'https://app.h2h3.test/', atEpochMs: 1000 };
  const lines: AppLine[] = [
    { kind: 'answered', id: 0, status: 200, thinkMs: 9, ...line, atEpochMs: 10 },
    { kind: 'answered', id: 1, status: 200, thinkMs: 50, ...line },
    {
      kind: 'answered',
      id: 2,
      status: 200,
      thinkMs: 80,
      oddNames: ['x_own', 'x_own'],
      ...line,
      url: 'https://app.h2h3.test/stream',
    },
    {
      kind: 'answered',
      id: 6,
      status: 200,
      hasLength: true,
      thinkMs: 1,
      ...line,
      url: 'https://app.h2h3.test/big.js',
    },
    { kind: 'ended', id: 1, isCut: false, atEpochMs: 1050 },
    { kind: 'ended', id: 6, isCut: true, atEpochMs: 9000 },
    { kind: 'ended', id: 2, isCut: true, atEpochMs: 9000 },
    { kind: 'socket', id: 3, ...line, url: 'https://app.h2h3.test/live' },
    { kind: 'given-up', id: 5, ...line, url: 'https://app.h2h3.test/slow' },
    { kind: 'failed', id: 4, why: 'connect ECONNREFUSED', ...line },
  ];
  assert.deepEqual(appLedgerOf(lines, 500), {
    answered: 3,
    waits: [
      { atEpochMs: 1000, thinkMs: 50 },
      { atEpochMs: 1000, thinkMs: 80 },
      { atEpochMs: 1000, thinkMs: 1 },
    ],
    slowest: { url: 'https://app.h2h3.test/stream', thinkMs: 80 },
    failures: [{ url: 'https://app.h2h3.test/', why: 'connect ECONNREFUSED' }],
    oddNames: { 'https://app.h2h3.test/stream': ['x_own'] },
    sockets: ['https://app.h2h3.test/live'],
    unended: ['https://app.h2h3.test/stream', 'https://app.h2h3.test/big.js', 'https://app.h2h3.test/slow'],
    cut: ['https://app.h2h3.test/big.js'],
  });
  const many = Array.from({ length: 201 }, (_, id): AppLine => {
    const url = `https://app.h2h3.test/${id}`;
    return { kind: 'answered', id, status: 200, thinkMs: 1, oddNames: ['x_own'], ...line, url };
  });
  assert.equal(appLedgerOf(many, 500).oddNames, undefined, 'what is not all known proves nothing');
});
