import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedLoadOf, pastLoadOf } from '../../../../src/analyse/derive/expected-load.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import { harEntry, harOf } from './evidence.ts';

const timelineHar = (har: Har): Har => ({ log: { ...har.log, _h2h3: { source: 'timeline' } } });
const script = harEntry({ url: 'https://site.test/a.js?v=1', startMs: 50 });
const late = harEntry({ url: 'https://site.test/late.js', startMs: 400 });

function requestsOf(...hars: readonly Har[]): Record<string, [number, boolean, string | undefined]> {
  const expected = expectedLoadOf(hars.map(pastLoadOf));
  return Object.fromEntries(
    (expected?.requests ?? []).map(({ url, status, isInEveryLoad, error }) => [
      url,
      [status, isInEveryLoad, error],
    ]),
  );
}

test('without any load nothing is expected', () => {
  assert.equal(expectedLoadOf([]), undefined);
});

test('what every load asked for before its load event must be there, whatever its query; what came later need not', () => {
  const otherQuery = harEntry({ url: 'https://site.test/a.js?v=2', startMs: 60 });
  const seen = requestsOf(harOf([harEntry(), script, late]), harOf([harEntry(), otherQuery, late]));
  assert.deepEqual(seen, {
    'https://site.test/': [200, true, undefined],
    'https://site.test/a.js?v=1': [200, true, undefined],
    'https://site.test/a.js?v=2': [200, true, undefined],
    'https://site.test/late.js': [200, false, undefined],
  });
});

test('what only a server’s log has, and so no port, is the same request', () => {
  const atPort = harEntry({ url: 'https://site.test:8443/a.css', startMs: 20 });
  const logged = harEntry({ url: 'https://site.test/a.css', startMs: 20 });
  assert.deepEqual(
    requestsOf(harOf([atPort]), timelineHar(harOf([logged])))['https://site.test:8443/a.css'],
    [200, true, undefined],
  );
});

test('what one load did without is the page’s freedom', () => {
  assert.deepEqual(
    requestsOf(harOf([harEntry(), script]), harOf([harEntry()]))['https://site.test/a.js?v=1'],
    [200, false, undefined],
  );
});

test('a recorded load says what failed, and is believed before one that was not recorded', () => {
  const failed = harEntry({
    url: 'https://dead.test/x.png',
    status: 0,
    response: { _error: 'net::ERR_FAILED' },
  });
  const hidden = harEntry({ url: 'https://dead.test/x.png', status: 200 });
  for (const order of [
    [harOf([failed]), timelineHar(harOf([hidden]))],
    [timelineHar(harOf([hidden])), harOf([failed])],
  ])
    assert.deepEqual(requestsOf(...order)['https://dead.test/x.png'], [0, false, 'net::ERR_FAILED']);
  assert.equal(expectedLoadOf([pastLoadOf(timelineHar(harOf([hidden])))])?.isRecorded, false);
});
