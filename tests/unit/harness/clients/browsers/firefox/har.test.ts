import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harOfRows } from '../../../../../../harness/clients/browsers/firefox/har.ts';
import type { RequestRow } from '../../../../../../harness/clients/browsers/firefox/request-row.ts';

const openedMicros = 1_795_247_536_707_265;

function row(changes: Partial<RequestRow> = {}): RequestRow {
  return {
    channelId: '23',
    url: 'https://page.test:4433/?q=1',
    method: 'GET',
    outcome: 'NS_OK',
    status: 200,
    statusText: '',
    protocol: 'h3',
    fromCache: false,
    requestHeaders: [['Host', 'page.test:4433']],
    responseHeaders: [['content-length', '1683']],
    contentType: 'text/html',
    requestSize: 461,
    transferSize: 1952,
    encodedBodySize: 1683,
    decodedBodySize: 5120,
    remoteAddress: '127.0.0.1',
    localPort: 37_694,
    initiatorType: 'browser',
    contentPolicyType: 6,
    openedMicros,
    dnsStartMicros: openedMicros + 1000,
    dnsEndMicros: openedMicros + 3000,
    connectStartMicros: openedMicros + 3000,
    tlsStartMicros: openedMicros + 3000,
    connectEndMicros: openedMicros + 24_000,
    requestStartMicros: openedMicros + 25_000,
    responseStartMicros: openedMicros + 30_000,
    responseEndMicros: openedMicros + 31_500,
    stoppedMicros: openedMicros + 40_000,
    ...changes,
  };
}

const page = {
  url: 'https://page.test:4433/?q=1',
  startedEpochMs: openedMicros / 1000,
  timings: null,
  browser: { name: 'Firefox', version: '153.7.0' },
};

function onlyEntry(changes: Partial<RequestRow>) {
  const { entries } = harOfRows(page, [row(changes)]).log;
  assert.equal(entries.length, 1);
  const [entry] = entries;
  assert.ok(entry);
  return entry;
}

test('an exchange keeps its protocol, sizes, connection and phases', () => {
  const entry = onlyEntry({});
  assert.equal(entry.startedDateTime, '2026-11-21T07:52:16.707265Z');
  assert.equal(entry.response.httpVersion, 'h3');
  assert.equal(entry.response.bodySize, 1683);
  assert.equal(entry.response.headersSize, 1952 - 1683);
  assert.equal(entry.connection, 'udp:37694');
  assert.deepEqual(entry.timings, {
    blocked: 2,
    dns: 2,
    connect: 21,
    ssl: 21,
    send: 0,
    wait: 5,
    receive: 1.5,
  });
  assert.equal(entry.time, 31.5);
  assert.equal(entry.response._error, undefined);
});

test('an exchange on an open connection has no dns and no connect phase', () => {
  const { timings } = onlyEntry({
    dnsStartMicros: 0,
    dnsEndMicros: 0,
    connectStartMicros: 0,
    tlsStartMicros: 0,
    connectEndMicros: 0,
  });
  assert.deepEqual([timings.dns, timings.connect, timings.ssl], [-1, -1, -1]);
  assert.equal(timings.blocked, 25);
});

test('an exchange that failed stays, with the reason and without a protocol', () => {
  const entry = onlyEntry({
    outcome: 'NS_ERROR_CONNECTION_REFUSED',
    status: null,
    protocol: '',
    localPort: 0,
    requestStartMicros: 0,
    responseStartMicros: 0,
    responseEndMicros: 0,
  });
  assert.equal(entry.response._error, 'NS_ERROR_CONNECTION_REFUSED');
  assert.equal(entry.response.status, 0);
  assert.equal(entry.response.httpVersion, '');
  assert.equal(entry.connection, '');
  assert.ok(entry.time >= 0);
});

test('what Firefox drops after it had it whole did not fail; what it drops before did', () => {
  assert.equal(onlyEntry({ outcome: 'NS_BINDING_ABORTED' }).response._error, undefined);
  const cut = onlyEntry({ outcome: 'NS_BINDING_ABORTED', encodedBodySize: 900 });
  assert.equal(cut.response._error, 'NS_BINDING_ABORTED');
});

test('a redirect by the server is an entry, one inside the browser is not', () => {
  const redirect = row({
    outcome: 'NS_BINDING_REDIRECTED',
    status: 302,
    responseHeaders: [['Location', '/next']],
    transferSize: 142,
    encodedBodySize: 0,
  });
  const inside = row({ outcome: 'NS_BINDING_REDIRECTED', status: null, transferSize: 0 });
  const { entries } = harOfRows(page, [redirect, inside]).log;
  assert.equal(entries.length, 1);
  assert.equal(entries[0]?.response['redirectURL'], '/next');
  assert.equal(entries[0]?.response._error, undefined);
});

test('an object from the cache is marked and counts no bytes', () => {
  const entry = onlyEntry({ fromCache: true });
  assert.equal(entry._fromCache, true);
  assert.equal(entry.response.bodySize, 0);
});

test('entries are in the order in which they were asked for, and the page has the times of its load', () => {
  const timings = {
    timeOriginEpochMs: openedMicros / 1000 - 40,
    connectStartMs: 0,
    connectEndMs: 0,
    requestStartMs: 0,
    responseStartMs: 0,
    responseEndMs: 0,
    domContentLoadedMs: 300,
    loadEventEndMs: 500.5,
    nextHopProtocol: 'h3',
    fcpMs: null,
    lcpMs: null,
    cls: null,
    longTasks: null,
  };
  const later = row({ url: 'https://page.test/later', openedMicros: openedMicros + 1 });
  const { log } = harOfRows({ ...page, timings }, [later, row()]);
  assert.deepEqual(
    log.entries.map((entry) => entry.request.url),
    [page.url, later.url],
  );
  assert.deepEqual(log.pages[0]?.pageTimings, { onContentLoad: 300, onLoad: 500.5 });
});

test('what had no connection and no bytes was a service worker’s, and its script is whole once it is there', () => {
  const none = { localPort: 0, transferSize: 0, encodedBodySize: 0, decodedBodySize: 0 };
  assert.equal(onlyEntry(none)?._fromServiceWorker, true);
  assert.equal(onlyEntry({ ...none, fromCache: true })?._fromServiceWorker, undefined);
  assert.equal(onlyEntry({ ...none, outcome: 'NS_ERROR_FAILURE' })?._fromServiceWorker, undefined);
  const dropped = { outcome: 'NS_BINDING_ABORTED', responseHeaders: [] };
  assert.equal(onlyEntry(dropped)?.response._error, 'NS_BINDING_ABORTED');
  const script = { ...dropped, requestHeaders: [['Service-Worker', 'script']] as const };
  assert.equal(onlyEntry(script)?.response._error, undefined);
});
