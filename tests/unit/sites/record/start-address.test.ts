import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';
import {
  dateAfter,
  harEntry,
  importedHar,
  importedWarc,
  warcRecord,
  warcResponse,
} from '../../../support/imported-file.ts';

const shop = {
  url: 'https://shop.test/',
  body: '<!doctype html><title>Shop</title><img src=/a.svg>',
  atSeconds: 2,
};
const image = { url: 'https://shop.test/a.svg', type: 'image/svg+xml', body: '<svg/>', atSeconds: 3 };
const pixels = [
  {
    url: 'https://track.test/p?x=1',
    status: 302,
    type: 'image/gif',
    headers: [['location', '/p2']] as const,
    resourceType: 'image',
  },
  { url: 'https://track.test/p2', type: 'image/gif', body: 'GIF89a', atSeconds: 1, resourceType: 'image' },
];
const portal = {
  url: 'http://portal.test/canonical.html',
  body: '<meta http-equiv="refresh" content="0;url=https://support.test/">',
};
const frame = { url: 'https://ads.test/frame.html', body: '<!doctype html>ad', atSeconds: 2.5 };
const document = { resourceType: 'document' };

test('a HAR starts at its page, whatever noise came before', async (t) => {
  const shopEntries = [harEntry({ ...shop, ...document }), harEntry({ ...image, resourceType: 'image' })];
  const ofPage = { pageref: 'page_1' };
  const pages = [{ id: 'page_1', title: 'https://shop.test/', startedDateTime: dateAfter(2) }];
  const referer = [['referer', 'https://shop.test/']] as const;
  const cases: Record<string, [entries: object[], log?: object]> = {
    'a portal': [[harEntry({ ...portal, resourceType: 'other' }), ...shopEntries]],
    'a pixel that redirects': [[...pixels.map(harEntry), ...shopEntries]],
    'a pixel of the same page': [
      [...pixels, shop, image].map((each) => harEntry({ ...each, ...ofPage })),
      { pages },
    ],
    'a pixel that redirects, no types': [
      [...pixels, shop, image].map((each) => harEntry({ ...each, resourceType: 'other' })),
    ],
    'a frame that was done first': [[harEntry({ ...frame, ...document }), ...shopEntries]],
    'a portal before a page with requests, no types': [
      [portal, shop, image, { ...image, url: 'https://shop.test/b.svg' }].map((each) =>
        harEntry({ ...each, requestHeaders: each.url.endsWith('svg') ? referer : [] }),
      ),
    ],
    'a frame that its page asked for': [
      [
        harEntry({ ...frame, atSeconds: 0, requestHeaders: referer }),
        harEntry(shop),
        harEntry({ ...image, requestHeaders: referer }),
      ],
    ],
    'an error page of another host': [
      [harEntry({ url: 'https://gone.test/', status: 404, body: '<html>gone' }), harEntry(shop)],
    ],
    'another page of the file, opened later': [
      [
        harEntry({ ...portal, ...document, pageref: 'page_0' }),
        harEntry({ ...shop, ...document, ...ofPage }),
      ],
      {
        pages: [
          { id: 'page_0', title: 'Portal', startedDateTime: dateAfter(9) },
          { id: 'page_1', title: 'Shop', startedDateTime: dateAfter(1) },
        ],
      },
    ],
  };
  Object.assign(cases, {
    'a portal before a page with requests, without any referrer': [
      [
        harEntry(portal),
        ...[shop, image, { ...image, url: 'https://shop.test/b.svg' }].map((each) => harEntry(each)),
      ],
    ],
    'an interface under the type of pages': [
      [harEntry({ url: 'https://shop.test/api', body: ' {"a":1}' }), harEntry(shop)],
    ],
    'a page that was fetched in case that someone goes there': [
      [
        harEntry({
          ...frame,
          atSeconds: 0,
          ...document,
          requestHeaders: [['sec-purpose', 'prefetch;prerender']],
        }),
        harEntry({ ...shop, ...document }),
      ],
    ],
    'a lost picture whose server leads home, later': [
      [
        harEntry(shop),
        harEntry({ url: 'https://shop.test/lost', status: 302, headers: [['location', '/']], atSeconds: 4 }),
        harEntry({ ...shop, atSeconds: 5 }),
      ],
    ],
    'a lost picture whose server leads home, before the page was asked for': [
      [
        harEntry({
          url: 'https://shop.test/lost',
          status: 302,
          headers: [['location', '/']],
          resourceType: 'image',
        }),
        harEntry({ ...shop, ...document }),
      ],
    ],
  });
  for (const [name, [entries, log]] of Object.entries(cases)) {
    const { index, warnings } = await importedHar(t, entries, log === undefined ? {} : { log });
    assert.deepEqual(index.urls, ['https://shop.test/'], name);
    assert.match(warnings.join(), /the archive starts at https:\/\/shop\.test\//, name);
  }
});

test('an answer without a type that begins with comments is a page or none at once', async (t) => {
  const untyped = (url: string, text: string): object =>
    harEntry({
      url,
      entry: { response: { status: 200, headers: [], content: { size: text.length, text } } },
    });
  const comments = '<!---->'.repeat(60);
  const tookMs = await cpuMsOf(async () => {
    const { index } = await importedHar(t, [
      untyped('https://none.test/', `${comments}no page`),
      untyped('https://shop.test/', `${comments} <!-- a > b --> <html>`),
    ]);
    assert.deepEqual(index.urls, ['https://shop.test/']);
  });
  assert.ok(tookMs < 5000, `${tookMs} ms of CPU time`);
});

test('the redirects that lead to a page are where it starts, and its runners-up are named', async (t) => {
  const moved = { url: 'http://shop.test/old', status: 301, headers: [['location', shop.url]] as const };
  const { index, warnings } = await importedHar(t, [moved, frame, shop].map(harEntry));
  assert.deepEqual(index.urls, ['https://shop.test/old']);
  assert.match(
    warnings.join(),
    /starts at https:\/\/shop\.test\/old; --page .*: https:\/\/ads\.test\/frame\.html/,
  );
});

test('--page starts an archive at any address of the file, and refuses others with its pages', async (t) => {
  const entries = [shop, frame, image].map(harEntry);
  const { index, warnings } = await importedHar(t, entries, { page: 'https://ads.test/frame.html#top' });
  assert.deepEqual(index.urls, ['https://ads.test/frame.html']);
  assert.match(warnings.join(), /another page: https:\/\/shop\.test\//);
  for (const page of ['https://shop.test/none', 'shop'])
    await assert.rejects(importedHar(t, entries, { page }), (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'usage');
      assert.match(error.message, new RegExp(`site\\.har holds no answer for the --page ${page}`));
      assert.equal(error.context.expected, 'https://shop.test/, https://ads.test/frame.html');
      assert.match(error.next ?? '', /--page https:\/\/shop\.test\//);
      assert.equal(existsSync((error.context['file'] ?? '').replace('site.har', 'archive')), false);
      return true;
    });
});

test('a file without any page says where it starts all the same', async (t) => {
  const { index, warnings } = await importedHar(t, [harEntry(image)]);
  assert.deepEqual(index.urls, [image.url]);
  assert.match(warnings.join(), /no answer of the file is a page: .*a\.svg, the first answer/);
});

test('a WARC file starts at its seed, not at what its crawler asked for before', async (t) => {
  const toTls = (url: string, atSeconds: number): Buffer =>
    warcResponse({ url, status: 301, headers: [['Location', url.replace('http:', 'https:')]], atSeconds });
  const page = { url: 'https://w.test/', body: '<!doctype html><title>Page</title>', atSeconds: 4 };
  const robots = { url: 'https://w.test/robots.txt', atSeconds: 1 };
  const cases: Record<string, Buffer[]> = {
    'a crawl': [
      warcRecord({ type: 'warcinfo' }, 'software: crawler/1\r\n'),
      warcRecord(
        { type: 'response', url: 'dns:w.test', more: { 'Content-Type': 'text/dns' } },
        'w.test. A 192.0.2.1\n',
      ),
      toTls('http://w.test/robots.txt', 0),
      warcResponse({ ...robots, type: 'text/plain', body: 'User-agent: *\n' }),
      toTls('http://w.test/', 2),
      warcResponse(page),
    ],
    'rules that are a page': [warcResponse({ ...robots, body: '<html>not found' }), warcResponse(page)],
    'a page without a type': [
      warcResponse({ ...robots, type: 'text/plain', body: 'User-agent: *\n' }),
      warcRecord({ type: 'response', url: page.url }, `HTTP/1.1 200 OK\r\n\r\n${page.body}`),
    ],
    'a frame of a browser that crawls': [
      warcResponse({ ...frame, atSeconds: 0, more: { 'WARC-Resource-Type': 'subframe' } }),
      warcResponse({ ...page, more: { 'WARC-Resource-Type': 'document' } }),
    ],
  };
  for (const [name, records] of Object.entries(cases)) {
    const { index } = await importedWarc(t, records);
    assert.deepEqual(index.urls, ['https://w.test/'], name);
  }
});
