import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { harOf } from '../../../../harness/clients/browsers/chromium/har.ts';
import type { LoggedRequest } from '../../../../harness/clients/browsers/chromium/network-log.ts';
import { renderHar } from '../../../../reports/har/render-har.ts';
import type { Har } from '../../../../src/model/har.ts';
import { loggedRequest } from '../../harness/clients/browsers/chromium/logged-request.ts';

/** What pagexray, the HAR reader of sitespeed.io, finds in one page. */
interface Page {
  readonly transferSize: number;
  readonly contentSize: number;
  readonly requests: number;
  readonly meta: { readonly browser: { readonly name: string; readonly version: string } };
}
const pagexray = createRequire(import.meta.url)('pagexray') as { convert(har: unknown): Page[] };

const page = {
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
  const har = await harOf(page, [
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
  assert.deepEqual(browser, page.browser);
});

test('pagexray counts the bytes of every body', async () => {
  const [read] = pagexray.convert(await portable());
  assert.equal(read?.requests, 3);
  assert.equal(read.transferSize, 400 + 1000 + 1010);
  assert.equal(read.contentSize, 3000);
  assert.deepEqual(read.meta.browser, page.browser);
});
