import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harOf } from '../../../../../../harness/clients/browsers/chromium/har.ts';
import { networkObjectsOf } from '../../../../../../src/core/metrics/evidence/network-object.ts';
import type { Har } from '../../../../../../src/core/model/har.ts';
import type { LoggedRequest } from '../../../../../../harness/clients/browsers/chromium/network-log.ts';
import { loggedRequest, responseTo } from './logged-request.ts';

const page = {
  url: 'https://a.test/',
  domContentSeconds: 100.3,
  loadSeconds: 100.5,
  timeOriginEpochMs: 1_700_000_000_000 - 10,
  browser: { name: 'Chrome', version: '156.0' },
};
const document = (): LoggedRequest =>
  loggedRequest('https://a.test/', { initiator: 'other', finishedAfterMs: 50 });

test('a whole object has its protocol, connection, sizes and times', async () => {
  const har = await harOf(page, [document(), loggedRequest('https://a.test/x.js', { finishedAfterMs: 80 })]);
  const entry = har.log.entries[1];
  assert.equal(entry?.response.httpVersion, 'h3');
  assert.equal(entry.connection, '7');
  assert.equal(entry.response.content.size, 1000);
  assert.equal(entry.response._transferSize, 1100);
  assert.ok(Math.abs(entry.time - 80) < 0.01);
  assert.equal(entry.response._error ?? null, null);
});

test('page times count from navigation start', async () => {
  const har = await harOf(page, [document()]);
  const { onLoad, onContentLoad } = har.log.pages[0]?.pageTimings ?? {};
  assert.ok(Math.abs((onLoad ?? 0) - 510) < 0.01);
  assert.ok(Math.abs((onContentLoad ?? 0) - 310) < 0.01);
});

test('objects that failed, had no answer or were not whole at the end stay, with the reason', async () => {
  const failed = loggedRequest('https://a.test/failed', { failed: 'net::ERR_QUIC_PROTOCOL_ERROR' });
  const silent = { ...loggedRequest('https://a.test/silent', {}) };
  delete silent.response;
  const partial = loggedRequest('https://a.test/partial', {});
  const har = await harOf(page, [document(), failed, silent, partial]);
  assert.deepEqual(
    har.log.entries.slice(1).map(({ response }) => response._error),
    [
      'net::ERR_QUIC_PROTOCOL_ERROR',
      'no answer when the measurement ended',
      'incomplete when the measurement ended',
    ],
  );
});

test('a no-store body that came whole is no abort, one that was cut off is', async () => {
  const aborted = (headers: Record<string, string>): LoggedRequest => {
    const request = loggedRequest('https://a.test/data', { failed: 'net::ERR_ABORTED' });
    const response = responseTo('https://a.test/data');
    response.response.headers = headers;
    return { ...request, response, decodedBytes: 1000 };
  };
  const errorWith = async (headers: Record<string, string>): Promise<unknown> =>
    (await harOf(page, [document(), aborted(headers)])).log.entries[1]?.response._error ?? null;
  const whole = { 'Cache-Control': 'no-store', 'Content-Length': '1000' };
  assert.equal(await errorWith(whole), null);
  for (const headers of [
    { ...whole, 'Content-Length': '1001' },
    { ...whole, 'Cache-Control': 'no-cache' },
    { ...whole, 'Content-Encoding': 'br' },
    { 'Cache-Control': 'no-store' },
  ])
    assert.equal(await errorWith(headers), 'net::ERR_ABORTED', JSON.stringify(headers));
});

test('an answer that has no body is no abort once it came', async () => {
  const errorOf = async (status: number): Promise<unknown> => {
    const request = loggedRequest('https://a.test/kept', { failed: 'net::ERR_ABORTED' });
    const response = responseTo('https://a.test/kept');
    response.response.status = status;
    const { log } = await harOf(page, [document(), { ...request, response, decodedBytes: 0 }]);
    return log.entries[1]?.response._error ?? null;
  };
  assert.deepEqual(await Promise.all([204, 205, 200].map(errorOf)), [null, null, 'net::ERR_ABORTED']);
});

test('a main document that failed leaves an entry that says so, and no load time', async () => {
  const failed = loggedRequest('https://a.test/', {
    initiator: 'other',
    failed: 'net::ERR_QUIC_HANDSHAKE_FAILED',
  });
  delete failed.response;
  const har = await harOf({ ...page, domContentSeconds: null, loadSeconds: null }, [failed]);
  assert.equal(har.log.entries[0]?.response._error, 'net::ERR_QUIC_HANDSHAKE_FAILED');
  assert.equal(har.log.pages[0]?.pageTimings.onLoad, null);
});

test('what came from a cache is marked, unless this load had fetched it itself', async () => {
  const cached = (url: string): LoggedRequest => ({
    ...loggedRequest(url, { finishedAfterMs: 1 }),
    fromMemoryCache: true,
  });
  const fetched = loggedRequest('https://a.test/twice', { finishedAfterMs: 20 });
  const har = await harOf(page, [
    document(),
    fetched,
    cached('https://a.test/twice'),
    cached('https://a.test/old'),
  ]);
  assert.deepEqual(
    har.log.entries.slice(1).map(({ request, _fromCache }) => [request.url, _fromCache ?? false]),
    [
      ['https://a.test/twice', false],
      ['https://a.test/old', true],
    ],
  );
});

test('every step of a redirect is an object', async () => {
  const target = loggedRequest('https://a.test/new', { finishedAfterMs: 90 });
  const step = loggedRequest('https://a.test/old', {});
  delete step.response;
  const { response } = responseTo('https://a.test/old');
  step.redirect = { ...target.sent, redirectResponse: { ...response, status: 301 } };
  const har = await harOf(page, [document(), step, target]);
  assert.deepEqual(
    har.log.entries.map(({ request, response: { status } }) => [request.url, status]),
    [
      ['https://a.test/', 200],
      ['https://a.test/old', 301],
      ['https://a.test/new', 200],
    ],
  );
});

test('without any request there is an empty HAR', async () => {
  assert.deepEqual((await harOf(page, [])).log.entries, []);
});

test('what a service worker answered is marked, and what it handed on unread has no size that is known', async () => {
  const answered = loggedRequest('https://a.test/a', { finishedAfterMs: 80 });
  answered.response = responseTo('https://a.test/a');
  answered.response.response.fromServiceWorker = true;
  const handedOn = { ...loggedRequest('https://a.test/a', { finishedAfterMs: 60 }), decodedBytes: 0 };
  const { entries } = (await harOf(page, [document(), answered, handedOn])).log;
  assert.deepEqual(
    entries.slice(1).map(({ _fromServiceWorker, response }) => [_fromServiceWorker, response.content.size]),
    [
      [true, 1000],
      [undefined, -1],
    ],
  );
  const [, object] = networkObjectsOf({ log: { entries } } as unknown as Har);
  assert.deepEqual([object?.path, object?.bodyBytes], ['/a', null]);
});
