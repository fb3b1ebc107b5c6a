import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkObjectsOf } from '../../../../../src/core/metrics/evidence/network-object.ts';
import { harEntry, harOf, originEpochMs } from '../../../analyse/derive/evidence.ts';

test('only http and https objects are objects of the network', () => {
  const urls = [
    'https://site.test/',
    'data:,x',
    'blob:https://site.test/1',
    'about:blank',
    'wss://site.test/',
    'not a url',
  ];
  const objects = networkObjectsOf(harOf(urls.map((url) => harEntry({ url }))));
  assert.deepEqual(
    objects.map(({ url }) => url),
    ['https://site.test/'],
  );
});

test('an object has host without port, path with query, times and sizes', () => {
  const [object] = networkObjectsOf(
    harOf([harEntry({ url: 'https://Site.test:8443/a%20b?c=d#e', startMs: 40, timeMs: 12.5, bytes: 700 })]),
  );
  assert.equal(object?.host, 'site.test');
  assert.equal(object?.path, '/a%20b?c=d');
  assert.equal(object?.startEpochMs, originEpochMs + 40);
  assert.equal(object?.endEpochMs, originEpochMs + 52.5);
  assert.equal(object?.wireBytes, 800);
  assert.equal(object?.bodyBytes, 700);
  assert.equal(object?.protocol, 'h2');
  assert.equal(object?.error, undefined);
});

test('with a content coding the body size on the wire is unknown', () => {
  const headers = [{ name: 'Content-Encoding', value: 'br' }];
  const [object] = networkObjectsOf(harOf([harEntry({ response: { headers } })]));
  assert.equal(object?.bodyBytes, null);
  assert.equal(object?.wireBytes, 1100);
});

test('a second use out of the memory cache is no further object, an object only from the cache is one', () => {
  const fromCache = { _fromCache: true };
  const objects = networkObjectsOf(
    harOf([
      harEntry({ url: 'https://site.test/a.png' }),
      harEntry({ url: 'https://site.test/a.png', entry: fromCache }),
      harEntry({ url: 'https://site.test/b.png', entry: fromCache }),
    ]),
  );
  assert.deepEqual(
    objects.map(({ path, fromCache: cached }) => [path, cached]),
    [
      ['/a.png', false],
      ['/b.png', true],
    ],
  );
});

test('errors, missing answers and statuses from 400 on are failures', () => {
  const errors = [
    harEntry({ response: { _error: 'net::ERR_ABORTED' } }),
    harEntry({ status: 0 }),
    harEntry({ status: 404 }),
    harEntry({ status: 302 }),
    harEntry({ response: { _error: null } }),
  ];
  assert.deepEqual(
    errors.map((entry) => networkObjectsOf(harOf([entry]))[0]?.error),
    ['net::ERR_ABORTED', 'no response', 'status 404', undefined, undefined],
  );
});
