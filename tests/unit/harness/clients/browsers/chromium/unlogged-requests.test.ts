import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harOf } from '../../../../../../harness/clients/browsers/chromium/har.ts';
import type { TimelineEntry } from '../../../../../../src/core/model/timeline.ts';
import { withResourceTimings } from '../../../../../../harness/clients/browsers/chromium/unlogged-requests.ts';
import { loggedRequest, startEpochSeconds } from './logged-request.ts';

const timeOriginEpochMs = startEpochSeconds * 1000 - 200;

function row(url: string, startMs: number, changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    url,
    startMs,
    redirectEndMs: 0,
    workerStartMs: 0,
    delivery: '',
    domainLookupStartMs: startMs,
    connectStartMs: startMs,
    secureConnectionStartMs: startMs,
    connectEndMs: startMs,
    requestStartMs: startMs + 2,
    responseStartMs: startMs + 20,
    responseEndMs: startMs + 500,
    protocol: 'h3',
    status: 200,
    transferBytes: 5_000_300,
    encodedBytes: 5_000_000,
    decodedBytes: 5_000_000,
    initiator: 'fetch',
    ...changes,
  };
}

test('an object whose end was not logged gets it from Resource Timing, and keeps what was logged', async () => {
  const document = loggedRequest('https://a.test/', { initiator: 'other', finishedAfterMs: 40 });
  const body = loggedRequest('https://a.test/body', {});
  const requests = withResourceTimings(
    [document, body],
    [row('https://a.test/body', 201)],
    timeOriginEpochMs,
  );
  const browser = { name: 'Chrome', version: '156.0' };
  const page = {
    url: 'https://a.test/',
    domContentSeconds: 100.1,
    loadSeconds: 100.1,
    timeOriginEpochMs,
    browser,
  };
  const entry = (await harOf(page, requests)).log.entries[1];
  assert.equal(requests.length, 2);
  assert.equal(entry?.response._error ?? null, null);
  assert.equal(entry?.response.content.size, 5_000_000);
  assert.equal(entry?.connection, '7');
  assert.ok(Math.abs((entry?.time ?? 0) - 500) < 2);
});

test('an object that was not logged at all is made from Resource Timing', async () => {
  const document = loggedRequest('https://a.test/', { initiator: 'other', finishedAfterMs: 40 });
  const requests = withResourceTimings([document], [row('https://b.test/chunk', 900)], timeOriginEpochMs);
  const browser = { name: 'Chrome', version: '156.0' };
  const page = {
    url: 'https://a.test/',
    domContentSeconds: 100.1,
    loadSeconds: 100.1,
    timeOriginEpochMs,
    browser,
  };
  const entry = (await harOf(page, requests)).log.entries[1];
  assert.equal(entry?.request.url, 'https://b.test/chunk');
  assert.equal(entry.response.httpVersion, 'h3');
  assert.equal(entry.response.content.size, 5_000_000);
  assert.equal(entry.connection, undefined);
  assert.ok(Math.abs(Date.parse(entry.startedDateTime) - (timeOriginEpochMs + 900)) <= 1);
  assert.ok(Math.abs(entry.timings.wait - 18) < 0.5);
});

test('the second of two fetches of one address is an object of its own', () => {
  const document = loggedRequest('https://a.test/', { initiator: 'other', finishedAfterMs: 40 });
  const first = loggedRequest('https://a.test/body', { finishedAfterMs: 300 });
  const rows = [row('https://a.test/body', 200), row('https://a.test/body', 3000)];
  assert.equal(withResourceTimings([document, first], rows, timeOriginEpochMs).length, 3);
});

test('a protocol that the browser withholds stays unknown, and a failure stays a failure', () => {
  const document = loggedRequest('https://a.test/', { initiator: 'other', finishedAfterMs: 40 });
  const rows = [row('https://b.test/a', 900, { protocol: '' }), row('https://b.test/b', 950, { status: 0 })];
  const [, withheld, failed] = withResourceTimings([document], rows, timeOriginEpochMs);
  assert.equal(withheld?.response?.response.protocol, 'unknown');
  assert.ok(failed?.failed !== undefined && failed.finished === undefined);
});
