import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { zipSync } from 'fflate';
import { brotliDecompressSync } from 'node:zlib';
import { openArchive } from '../../../../sites/archive/open-archive.ts';
import { importHar } from '../../../../sites/record/import-har.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { addressesOf, harEntry, importedHar } from '../../../support/imported-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function entry(url: string, response: object, request: object = {}): object {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url, headers: [], ...request },
    response: { status: 200, headers: [], content: {}, ...response },
    timings: { wait: 12.5 },
  };
}

function harFile(t: Parameters<typeof tempFolder>[0], content: unknown): string {
  const file = join(tempFolder(t), 'site.har');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('bodies come out of a HAR, encoded again as their headers say', async (t) => {
  const entries = [
    entry('https://a.example/?x=1', {
      headers: [
        { name: ':status', value: '200' },
        { name: 'content-encoding', value: 'br' },
        { name: 'link', value: '</a>\n</b>' },
        { name: 'set-cookie', value: 'id=1' },
      ],
      content: { text: '<p>hello</p>' },
    }),
    entry('https://b.example/i.png', { content: { text: 'AAEC', encoding: 'base64' } }),
    entry('https://b.example/none', { status: 204 }),
    entry('https://b.example/unsaved', { content: {} }),
    entry('data:,x', {}),
  ];
  const file = harFile(t, { log: { creator: { name: 'WebInspector', version: '537.36' }, entries } });
  const outDir = join(tempFolder(t), 'archive');
  const { leftOut } = await importHar({ harFile: file, outDir });
  assert.deepEqual(addressesOf(leftOut), ['https://b.example/unsaved']);
  const archive = await openArchive(outDir);
  assert.deepEqual(archive.hosts, ['a.example', 'b.example']);
  const [page, image] = archive.index.entries;
  assert.ok(page && image);
  assert.equal(brotliDecompressSync(archive.body(page)).toString(), '<p>hello</p>');
  assert.match(page.headers.at(-1)?.[1] ?? '', /^id=h2h3-/);
  assert.deepEqual(page.headers.slice(0, -1), [
    ['content-encoding', 'br'],
    ['link', '</a>'],
    ['link', '</b>'],
  ]);
  assert.equal(page.query, 'x=1');
  assert.deepEqual([...archive.body(image)], [0, 1, 2]);
  assert.deepEqual(archive.index.removed, { 'header set-cookie': 1 });
});

test('web sockets that a file tells of are named as what a replay cannot give', async (t) => {
  const page = entry('https://a.example/', {
    content: { mimeType: 'text/html', text: '<p>page' },
  });
  const socket = {
    ...entry('https://a.example/', {}),
    request: { method: 'GET', url: 'wss://a.example/live', headers: [] },
  };
  const file = harFile(t, { log: { creator: { name: 'WebInspector' }, entries: [page, socket, socket] } });
  const { index } = await importHar({ harFile: file, outDir: join(tempFolder(t), 'archive') });
  assert.deepEqual(index.lacks, [{ feature: 'WebSocket', url: 'wss://a.example/live' }]);
});

test('a file without bodies, or that is no HAR, is refused with what to do', async (t) => {
  const bodiless = { log: { entries: [entry('https://a.example/', {})] } };
  for (const content of ['{', {}, { log: { entries: [] } }, bodiless]) {
    await assert.rejects(
      importHar({ harFile: harFile(t, content), outDir: join(tempFolder(t), 'archive') }),
      (error) =>
        error instanceof H2h3Error && error.code === 'bad-input' && /h2h3 record/.test(error.next ?? ''),
    );
  }
});

test('a named pipe, a device and a folder in the place of a HAR are refused, not waited for', async (t) => {
  const pipe = join(tempFolder(t), 'pipe.har');
  execFileSync('mkfifo', [pipe]);
  for (const harFile of [pipe, '/dev/zero', tempFolder(t)])
    await assert.rejects(importHar({ harFile, outDir: join(tempFolder(t), 'archive') }), {
      code: 'bad-input',
      message: /is not a HAR file/,
    });
});

test('a zip of Playwright holds its bodies in files of their own', async (t) => {
  const folder = tempFolder(t);
  const har = {
    log: {
      creator: { name: 'Playwright', version: '1.65' },
      entries: [
        {
          startedDateTime: '2026-01-01T00:00:00Z',
          request: { method: 'GET', url: 'https://a.test/', headers: [] },
          response: {
            status: 200,
            headers: [{ name: 'content-type', value: 'text/html' }],
            content: { _file: 'abc.html' },
          },
        },
      ],
    },
  };
  const files = { 'har.har': Buffer.from(JSON.stringify(har)), 'abc.html': Buffer.from('<p>from a file') };
  writeFileSync(join(folder, 'page.zip'), zipSync(files));
  const outDir = join(folder, 'archive');
  const { leftOut } = await importHar({ harFile: join(folder, 'page.zip'), outDir });
  assert.deepEqual(addressesOf(leftOut), []);
  const archive = await openArchive(outDir);
  const [entry] = archive.index.entries;
  assert.ok(entry);
  assert.equal(Buffer.from(archive.body(entry)).toString(), '<p>from a file');
});

test('what was aborted or broke off in a HAR does so in the replay, in its place among the others', async (t) => {
  const { index, leftOut } = await importedEntries(t, [
    entryOf('https://a.test/', { headers: [{ name: 'content-type', value: 'text/html' }] }),
    entryOf('https://a.test/reset', { status: 0, _error: 'net::ERR_HTTP2_PROTOCOL_ERROR' }),
    entryOf('https://a.test/never', { status: -1, content: {}, _failureText: 'net::ERR_ABORTED' }),
    entryOf('https://a.test/cut', { content: { text: 'only th' }, _error: 'net::ERR_CONNECTION_CLOSED' }),
    entryOf('https://a.test/unread', { content: {}, _failureText: 'net::ERR_ABORTED' }),
    entryOf('https://dead.test/', { status: 0, _error: 'net::ERR_NAME_NOT_RESOLVED' }),
  ]);
  assert.deepEqual(addressesOf(leftOut), []);
  assert.deepEqual(
    index.entries.map(({ path, status, failure }) => [path, status, failure]),
    [
      ['/', 200, null],
      ['/reset', 0, 'broken'],
      ['/never', 0, 'aborted'],
      ['/cut', 200, 'broken'],
      ['/unread', 200, null],
    ],
  );
  assert.deepEqual(
    index.failures.map(({ url }) => url),
    ['https://a.test/reset', 'https://a.test/never', 'https://dead.test/'],
  );
});

const entryOf = (url: string, changes: object = {}, request: object = {}): object => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  request: { method: 'GET', url, headers: [], ...request },
  response: { status: 200, headers: [], content: { text: 'text' }, ...changes },
});

async function importedEntries(t: TestContext, entries: readonly object[]): ReturnType<typeof importHar> {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'page.har'), JSON.stringify({ log: { entries } }));
  return importHar({ harFile: join(folder, 'page.har'), outDir: join(folder, 'archive') });
}

test('a file as Playwright writes it: bodies that were sent in files, answers nobody read, no preflights', async (t) => {
  const folder = tempFolder(t);
  const unread = { size: -1, mimeType: 'text/plain' };
  const allowed = [{ name: 'access-control-allow-origin', value: '*' }];
  const asked = [':method', 'origin', 'x-own', 'content-type'].map((name) => ({
    name,
    value: 'application/json',
  }));
  const multipart = { mimeType: 'multipart/form-data; boundary=b', text: '', params: [] };
  const log = {
    creator: { name: 'Playwright', version: '1.65' },
    entries: [
      entryOf('https://a.test/', { headers: [{ name: 'content-type', value: 'text/html' }] }),
      entryOf('https://a.test/up', {}, { method: 'POST', postData: { ...multipart, _file: 'sent.dat' } }),
      entryOf('https://a.test/unread?key=hush', { content: unread }),
      entryOf('https://a.test/events', {
        content: unread,
        _failureText: 'net::ERR_ABORTED',
        headers: [{ name: 'content-type', value: 'text/event-stream' }],
      }),
      entryOf('https://far.test/data', { headers: allowed }, { method: 'PUT', headers: asked }),
      entryOf(
        'https://far.test/plain',
        { headers: allowed },
        { headers: [{ name: 'origin', value: 'https://a.test' }] },
      ),
    ],
  };
  const files = { 'har.har': Buffer.from(JSON.stringify({ log })), 'sent.dat': Buffer.from([0, 200, 7]) };
  writeFileSync(join(folder, 'page.zip'), zipSync(files));
  const imported = await importHar({ harFile: join(folder, 'page.zip'), outDir: join(folder, 'archive') });
  assert.deepEqual(addressesOf(imported.leftOut), []);
  assert.deepEqual(imported.warnings, [
    'the archive starts at https://a.test/',
    '1 preflights that the file leaves out are answered as they must have been',
    '2 answers stand without their bodies in the file, because they had not been read to the end; they are replayed empty: a.test/unread, a.test/events',
    'the file does not say where servers paused within a body: its replay has no such pauses',
  ]);
  assert.deepEqual(imported.index.lacks, [{ feature: 'EventSource', url: 'https://a.test/events' }]);
  const archive = await openArchive(join(folder, 'archive'));
  const of = (wanted: string): (typeof archive.index.entries)[number] | undefined =>
    archive.index.entries.find(({ method, path }) => `${method} ${path}` === wanted);
  const upload = of('POST /up');
  assert.ok(upload);
  assert.deepEqual([...(archive.requestBody(upload) ?? [])], [0, 200, 7]);
  assert.deepEqual([of('GET /unread')?.failure, of('GET /events')?.failure], [null, 'aborted']);
  assert.deepEqual(of('OPTIONS /data')?.headers, [
    ['access-control-allow-origin', '*'],
    ['access-control-allow-methods', 'PUT'],
    ['access-control-allow-headers', 'x-own'],
    ['access-control-allow-headers', 'content-type'],
  ]);
  assert.equal(of('OPTIONS /plain'), undefined);
});

test('addresses, files and codings of odd names are refused or left out, and nothing else', async (t) => {
  const { index, leftOut } = await importedEntries(t, [
    entryOf('https://'),
    entryOf('https://a.test/proto', { content: { _file: '__proto__' } }),
    entryOf('https://a.test/coding', { headers: [{ name: 'content-encoding', value: '__proto__' }] }),
    entryOf('https://bücher.test/', { headers: [{ name: 'x-name', value: 'Łódź' }] }),
    entryOf('https://a.test/both', { headers: [{ name: 'content-encoding', value: 'gzip, br' }] }),
  ]);
  assert.deepEqual(addressesOf(leftOut), ['https://', 'https://a.test/proto']);
  assert.deepEqual(
    index.entries.map(({ host, path }) => host + path),
    ['a.test/coding', 'xn--bcher-kva.test/', 'a.test/both'],
  );
  assert.deepEqual(index.entries[0]?.headers, []);
});

test('a page of plain http is visited over TLS, and a warm cache is named', async (t) => {
  const html = [{ name: 'content-type', value: 'text/html' }];
  const { index, leftOut, warnings } = await importedEntries(t, [
    entryOf('http://a.test/', { headers: html }),
    entryOf('http://a.test/known', { status: 304, content: { text: 'kept' } }),
    entryOf('http://a.test/lost', { status: 304, content: {} }),
    entryOf('https://dead.test/', { status: 0 }),
  ]);
  assert.deepEqual(index.urls, ['https://a.test/']);
  assert.deepEqual(addressesOf(leftOut), ['http://a.test/lost']);
  assert.deepEqual(
    index.failures.map(({ url }) => url),
    ['https://dead.test/'],
  );
  assert.match(warnings.join(), /2 answers came out of a warm cache.*2 answers came over plain http/);
  assert.deepEqual(
    index.entries.map(({ status, scheme }) => [status, scheme]),
    [
      [200, 'http'],
      [200, 'http'],
    ],
  );
});

test('what its browser gave up after the answer had begun, or refused, keeps no page waiting', async (t) => {
  const gaveUp = { _failureText: 'net::ERR_ABORTED', content: { size: -1 } };
  const typed = (resourceType: string, url: string, response: object): object => ({
    ...entryOf(url, response),
    _resourceType: resourceType,
  });
  const { index, leftOut, warnings } = await importedEntries(t, [
    entryOf('https://a.test/', { headers: [{ name: 'content-type', value: 'text/html' }] }),
    typed('script', 'https://a.test/missing.js', { ...gaveUp, status: 404 }),
    typed('stylesheet', 'https://a.test/refused.css', { ...gaveUp, status: -1 }),
    typed('image', 'https://a.test/left.png', { ...gaveUp, status: -1 }),
    entryOf(
      'https://a.test/left.html',
      { ...gaveUp, status: -1 },
      { headers: [{ name: 'Sec-Fetch-Dest', value: 'iframe' }] },
    ),
    typed('fetch', 'https://a.test/slow', { ...gaveUp, status: -1 }),
    typed('fetch', 'https://a.test/part', { ...gaveUp, content: { text: 'begun' } }),
    typed('media', 'https://a.test/film', {
      ...gaveUp,
      headers: [{ name: 'content-type', value: 'video/mp4' }],
    }),
    typed('media', 'https://a.test/begun', {
      ...gaveUp,
      content: { text: 'begun' },
      headers: [{ name: 'content-type', value: 'video/mp4' }],
    }),
    typed('script', 'https://a.test/shared.js', { status: -1, content: { size: -1 } }),
  ]);
  assert.deepEqual(
    index.entries.map(({ path, status, failure }) => [path, status, failure]),
    [
      ['/', 200, null],
      ['/missing.js', 404, null],
      ['/refused.css', 0, 'broken'],
      ['/left.png', 0, 'broken'],
      ['/left.html', 0, 'broken'],
      ['/slow', 0, 'aborted'],
      ['/part', 200, null],
      ['/film', 200, null],
      ['/begun', 200, 'aborted'],
    ],
  );
  assert.deepEqual(addressesOf(leftOut), ['https://a.test/shared.js']);
  assert.match(leftOut[0]?.reason ?? '', /shared worker/);
  assert.match(warnings.join(), /2 answers stand without their bodies .*a\.test\/missing\.js, a\.test\/film/);
});

test('a first attempt without a body gives way to the whole answer', async (t) => {
  const html = [{ name: 'content-type', value: 'text/html' }];
  const { index, leftOut } = await importedEntries(t, [
    entryOf('https://a.test/', { headers: html, content: { size: -1, mimeType: 'text/html' } }),
    entryOf('https://a.test/', { headers: html }),
  ]);
  assert.deepEqual(
    index.entries.map(({ bodyBytes }) => bodyBytes),
    [4],
  );
  assert.match(leftOut[0]?.reason ?? '', /a whole answer to the same request/);
});

test('a body that a redirect sends on is sent with each request', async (t) => {
  const to = (location: string, status: number): object => ({
    status,
    headers: [{ name: 'location', value: location }],
  });
  const sending = (text: string): object => ({ method: 'POST', postData: { mimeType: 'text/plain', text } });
  const { index } = await importedEntries(t, [
    entryOf('https://a.test/', { headers: [{ name: 'content-type', value: 'text/html' }] }),
    entryOf('https://a.test/first', to('/second', 307), sending('sent')),
    entryOf('https://a.test/second', to('https://b.test/last', 308), sending('')),
    entryOf('https://b.test/last', {}, sending('')),
    entryOf('https://b.test/last', {}, sending('')),
    entryOf('https://a.test/seen', to('/last', 303), sending('other')),
    entryOf('https://a.test/last', {}, { method: 'GET' }),
  ]);
  const [, first, second, last, empty, seen, got] = index.entries.map(({ requestBody }) => requestBody);
  assert.ok(typeof first === 'string' && first === second && first === last);
  assert.ok(empty !== first && typeof seen === 'string' && seen !== first && got === null);
});

test('a byte order mark, and what is null, left out or a number in one entry, cost nothing of a HAR', async (t) => {
  const page = { url: 'https://odd.test/', body: '<!doctype html><title>odd</title>' };
  const pixel = { url: 'https://odd.test/p.gif', status: 204, headers: [], content: {} };
  const oddities: Record<string, { readonly request?: object; readonly response?: object }> = {
    'text null': { response: { content: { text: null } } },
    'encoding null': { response: { content: { text: '', encoding: null } } },
    'file null': { response: { content: { text: '', _file: null } } },
    'content null': { response: { content: null } },
    'header null': { response: { headers: [{ name: 'x-a', value: null }] } },
    'header without value': { response: { headers: [{ name: 'x-a' }] } },
    'header that is a number': { response: { headers: [{ name: 'x-a', value: 7 }] } },
    'sent null': { request: { postData: null } },
    'sent part null': { request: { postData: { mimeType: 'x', params: [{ name: 'a', value: null }] } } },
    'sent type null': { request: { postData: { mimeType: null, text: null } } },
  };
  for (const [name, { request, response }] of Object.entries(oddities)) {
    const odd = entryOf(pixel.url, { ...pixel, ...response }, request);
    const { index, leftOut } = await importedHar(t, [harEntry(page), odd], {
      before: '\uFEFF',
      log: { creator: {} },
    });
    assert.deepEqual([index.entries.length, leftOut], [2, []], name);
    assert.equal(index.recorder, 'HAR by unknown');
  }
});

test('an entry that cannot be read is left out by address and field, not the whole file', async (t) => {
  const page = { url: 'https://odd.test/', body: '<!doctype html><title>odd</title>' };
  const entries = [harEntry(page), entryOf('https://odd.test/a', { status: 'none' }), { request: null }];
  const { index, leftOut } = await importedHar(t, entries);
  assert.equal(index.entries.length, 1);
  assert.equal(leftOut[0]?.url, 'https://odd.test/a');
  assert.match(leftOut[0].reason, /^log\.entries\.1\.response\.status: /);
  assert.equal(leftOut[1]?.url, 'an entry without an address');
});
