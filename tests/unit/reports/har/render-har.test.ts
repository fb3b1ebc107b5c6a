import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { harOf } from '../../../../harness/clients/browsers/chromium/har.ts';
import type { LoggedRequest } from '../../../../harness/clients/browsers/chromium/network-log.ts';
import { renderHar } from '../../../../reports/har/render-har.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import { har12Schema } from '../../../support/har-schema.ts';
import { objectionsToHar } from '../../../support/other-har-reader.ts';
import { pageLoadFixture } from '../../../support/page-load-fixture.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { loggedRequest } from '../../harness/clients/browsers/chromium/logged-request.ts';

function problemsOf(har: Har): string[] {
  const parsed = har12Schema.safeParse(JSON.parse(renderHar(har)));
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('a whole load, failed objects and a load that never ended keep to HAR 1.2', async (t) => {
  const page = {
    url: 'https://a.test/',
    domContentSeconds: 100.3,
    loadSeconds: null,
    timeOriginEpochMs: null,
    browser: { name: 'Chrome', version: '156.0' },
  };
  const har = await harOf(page, [
    loggedRequest('https://a.test/', { initiator: 'other', finishedAfterMs: 50 }),
    loggedRequest('https://a.test/x.js?a=1&b=%3Cscript%3E', { finishedAfterMs: 80 }),
    loggedRequest('https://a.test/failed', { failed: 'net::ERR_QUIC_PROTOCOL_ERROR' }),
  ]);
  assert.deepEqual(problemsOf(har), []);
  const { log } = JSON.parse(renderHar(har)) as Har;
  assert.deepEqual([log.pages[0]?.pageTimings.onLoad, log.entries.length], [-1, 3]);
  const file = join(tempFolder(t), 'page.har');
  writeFileSync(file, renderHar(har));
  // Another reader than the schema of this test, where there is one.
  assert.equal(objectionsToHar(file) ?? '', '');
});

test('an address in brackets loses them, one that is empty goes', () => {
  const { har } = pageLoadFixture({ arm: 'h3', requests: 3 });
  const entries = har.log.entries.map((entry, i) => ({
    ...entry,
    serverIPAddress: ['[::1]', '', '127.0.0.1'][i] ?? '',
  }));
  const { log } = JSON.parse(renderHar({ log: { ...har.log, entries } })) as Har;
  assert.deepEqual(
    log.entries.map(({ serverIPAddress }) => serverIPAddress),
    ['::1', undefined, '127.0.0.1'],
  );
});

test('the schema of this test can tell: null, a missing part or a foreign name is found', () => {
  const { log } = pageLoadFixture({ arm: 'h2', requests: 1 }).har;
  const parse = (value: unknown): boolean => har12Schema.safeParse({ log: value }).success;
  const [entry] = log.entries;
  assert.equal(parse({ ...log, entries: [{ ...entry, time: null }] }), false);
  assert.equal(parse({ ...log, entries: [{ ...entry, response: {} }] }), false);
  assert.equal(parse({ ...log, entries: [{ ...entry, foreign: 1 }] }), false);
  assert.equal(parse({ ...log, version: '1.1' }), false);
});

const answeredPage = {
  url: 'https://a.test/',
  domContentSeconds: 100.3,
  loadSeconds: 100.5,
  timeOriginEpochMs: null,
  browser: { name: 'Chrome', version: '156.0' },
};

function answered(url: string, headers: Readonly<Record<string, string>>): LoggedRequest {
  const request = loggedRequest(url, {
    ...(url.endsWith('/') ? { initiator: 'other' as const } : {}),
    finishedAfterMs: 50,
  });
  const { response } = request;
  if (response) Object.assign(response.response, { headers, encodedDataLength: 90 });
  return request;
}

async function portable(): Promise<Har> {
  const har = await harOf(answeredPage, [
    answered('https://a.test/', { 'content-length': '400', 'content-encoding': 'br' }),
    answered('https://a.test/plain.js', {}),
    answered('https://a.test/chunked.js', { 'content-encoding': 'br' }),
  ]);
  return JSON.parse(renderHar(har)) as Har;
}

test('bodies have their encoded size and the size of what the page got', async () => {
  const { entries } = (await portable()).log;
  assert.deepEqual(
    entries.map(({ response }) => [response.bodySize, response.content.size]),
    [
      [400, 1000],
      [1000, 1000],
      [1010, 1000],
    ],
  );
});

test('h2h3 is the creator, the capturer stands in its comment, and the browser is named', async () => {
  const { creator, browser } = (await portable()).log;
  assert.equal(creator.name, 'h2h3');
  assert.match(creator.comment ?? '', /Chrome HAR Capturer/);
  assert.deepEqual(browser, answeredPage.browser);
});
