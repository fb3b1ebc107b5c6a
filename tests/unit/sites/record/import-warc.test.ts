import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openArchive } from '../../../../sites/archive/open-archive.ts';
import { importWarc } from '../../../../sites/record/import-warc.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { addressesOf } from '../../../support/imported-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function record(headers: Record<string, string>, block: Buffer | string): Buffer {
  const lines = { ...headers, 'Content-Length': String(Buffer.byteLength(block)) };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`WARC/1.1\r\n${head.join('')}\r\n`),
    Buffer.from(block),
    Buffer.from('\r\n\r\n'),
  ]);
}

function response(id: string, url: string, block: Buffer | string): Buffer {
  const headers = {
    'WARC-Type': 'response',
    'WARC-Record-ID': id,
    'WARC-Target-URI': url,
    'WARC-Date': '2026-01-01T00:00:01Z',
  };
  return record(headers, block);
}

const coded = gzipSync('some text that is coded');
const records = [
  record({ 'WARC-Type': 'warcinfo' }, 'software: crawler 1.0\r\n'),
  response(
    '<a>',
    '<https://a.test/?b=1&a=2>',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: x=1\r\nLink: 1\r\nLink: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n4;ext=1\r\n</p>\r\n0\r\n\r\n',
  ),
  response(
    '<b>',
    'https://b.test/style.css',
    Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Encoding: gzip\r\n\r\n'),
      coded,
    ]),
  ),
  response('<c>', 'https://a.test/api', 'HTTP/1.1 204 No Content\r\n\r\n'),
  record(
    { 'WARC-Type': 'request', 'WARC-Concurrent-To': '<c>' },
    'POST /api HTTP/1.1\r\nHost: a.test\r\n\r\nsent',
  ),
  response('<d>', 'dns:a.test', 'a.test 1.2.3.4'),
];

const bombHead = Buffer.from('WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 120000000\r\n\r\n');

async function imported(t: TestContext, content: Buffer): ReturnType<typeof importWarc> {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'crawl.warc.gz'), content);
  return importWarc({
    signal: new AbortController().signal,
    warcFile: join(folder, 'crawl.warc.gz'),
    outDir: join(folder, 'archive'),
  });
}

test('answers of a WARC file are taken over as they were on the wire, without chunks', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'crawl.warc.gz'), Buffer.concat(records.map((each) => gzipSync(each))));
  const outDir = join(folder, 'archive');
  const { index, leftOut } = await importWarc({
    signal: new AbortController().signal,
    warcFile: join(folder, 'crawl.warc.gz'),
    outDir,
  });
  assert.deepEqual(addressesOf(leftOut), ['dns:a.test']);
  assert.equal(index.recorder, 'WARC crawler 1.0');
  assert.deepEqual(index.urls, ['https://a.test/?b=1&a=2']);
  assert.deepEqual(index.removed, { 'header set-cookie': 1 });
  const archive = await openArchive(outDir);
  const [page, style, api] = archive.index.entries;
  assert.ok(page && style && api);
  assert.equal(Buffer.from(archive.body(page)).toString(), '<p>hi</p>');
  assert.match(page.headers[1]?.[1] ?? '', /^x=h2h3-/);
  assert.deepEqual(page.headers.toSpliced(1, 1), [
    ['Content-Type', 'text/html'],
    ['Link', '1'],
    ['Link', '2'],
  ]);
  assert.deepEqual(Buffer.from(archive.body(style)), coded);
  assert.deepEqual([api.method, api.status, api.requestBody !== null], ['POST', 204, true]);
});

test('a file that is none, is cut short or holds no answer is refused with its place', async (t) => {
  const whole = Buffer.concat(records);
  for (const [content, got] of [
    [Buffer.from('<html>'), /"<html>"/],
    [whole.subarray(0, whole.length - 10), /cut short: \d+ of \d+ bytes/],
    [Buffer.from('WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -5\r\n\r\n'), /length -5/],
    [gzipSync(Buffer.concat([bombHead, Buffer.alloc(120_000_000)])), /unpack to more than/],
    [records[0] ?? Buffer.alloc(0), /no answer/],
    [Buffer.concat([whole.subarray(0, -4), Buffer.from('more\r\n\r\n')]), /goes on after its length/],
    [gzipSync(whole).subarray(0, 200), /unexpected end/],
  ] as const) {
    await assert.rejects(
      imported(t, content),
      (error) =>
        error instanceof H2h3Error && error.code === 'bad-input' && got.test(error.context.got ?? ''),
    );
  }
});

test('a named pipe and a device in the place of a WARC file are refused, not waited for', async (t) => {
  const pipe = join(tempFolder(t), 'pipe.warc');
  execFileSync('mkfifo', [pipe]);
  const { signal } = new AbortController();
  for (const warcFile of [pipe, '/dev/zero'])
    await assert.rejects(
      importWarc({ warcFile, outDir: join(tempFolder(t), 'archive'), signal }),
      (error) => error instanceof H2h3Error && error.context.got === 'it is no regular file',
    );
});

test('resources, revisits and requests in either direction become exchanges', async (t) => {
  const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>first</p>';
  const of = (
    type: string,
    id: string,
    url: string,
    more: Record<string, string> = {},
  ): Record<string, string> => ({
    'WARC-Type': type,
    'WARC-Record-ID': id,
    'WARC-Target-URI': url,
    'WARC-Date': '2026-01-01T00:00:01Z',
    ...more,
  });
  const content = Buffer.concat([
    record(of('response', '<a>', 'https://a.test/', { 'WARC-Payload-Digest': 'sha1:P' }), page),
    record(
      of('revisit', '<b>', 'https://a.test/again', {
        'WARC-Payload-Digest': 'sha1:P',
        'WARC-Concurrent-To': '<q>',
      }),
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Own: 1\r\n\r\n',
    ),
    record(of('request', '<q>', 'https://a.test/again'), 'PUT /again HTTP/1.1\r\nHost: a.test\r\n\r\nsent'),
    record(of('resource', '<c>', 'https://a.test/note.txt', { 'Content-Type': 'text/plain' }), 'a note'),
    record(of('revisit', '<d>', 'https://a.test/lost', { 'WARC-Payload-Digest': 'sha1:Q' }), ''),
  ]);
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'crawl.warc'), content);
  const outDir = join(folder, 'archive');
  const { leftOut } = await importWarc({
    signal: new AbortController().signal,
    warcFile: join(folder, 'crawl.warc'),
    outDir,
  });
  assert.deepEqual(addressesOf(leftOut), ['https://a.test/lost']);
  const archive = await openArchive(outDir);
  const told = archive.index.entries.map((entry) => [
    entry.method,
    entry.path,
    Buffer.from(archive.body(entry)).toString(),
  ]);
  assert.deepEqual(told, [
    ['GET', '/', '<p>first</p>'],
    ['PUT', '/again', '<p>first</p>'],
    ['GET', '/note.txt', 'a note'],
  ]);
  assert.ok(archive.index.entries[1]?.headers.some(([name]) => name === 'X-Own'));
});

test('a body that a redirect sends on is sent with each request', async (t) => {
  const sending = (id: string, first: string, body: string): Buffer =>
    record(
      { 'WARC-Type': 'request', 'WARC-Concurrent-To': id },
      `${first} HTTP/1.1\r\nHost: a.test\r\n\r\n${body}`,
    );
  const leading = (status: number, to: string): string => `HTTP/1.1 ${status} X\r\nLocation: ${to}\r\n\r\n`;
  const whole = 'HTTP/1.1 200 OK\r\n\r\ndone';
  const { index } = await imported(
    t,
    Buffer.concat([
      response('<a>', 'https://a.test/first', leading(307, '/second')),
      sending('<a>', 'POST /first', 'sent'),
      response('<b>', 'https://a.test/second', leading(308, 'https://b.test/last#end')),
      sending('<b>', 'POST /second', ''),
      response('<c>', 'https://b.test/last', whole),
      sending('<c>', 'POST /last', ''),
      response('<d>', 'https://a.test/seen', leading(303, '/got')),
      sending('<d>', 'POST /seen', 'sent'),
      response('<e>', 'https://a.test/got', whole),
      sending('<e>', 'GET /got', ''),
    ]),
  );
  const [first, second, last, seen, got] = index.entries.map(({ requestBody }) => requestBody);
  assert.ok(typeof first === 'string' && first === second && first === last && first === seen);
  assert.equal(got, null);
});

test('preflights that a crawling browser leaves out are answered as those of a HAR are', async (t) => {
  const asked =
    'PUT /data HTTP/1.1\r\nHost: far.test\r\nOrigin: https://a.test\r\nX-Own: 1\r\nContent-Type: application/json\r\n\r\n{}';
  const { index, warnings } = await imported(
    t,
    Buffer.concat([
      response('<a>', 'https://a.test/', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a'),
      response(
        '<b>',
        'https://far.test/data',
        'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\n\r\ndata',
      ),
      record({ 'WARC-Type': 'request', 'WARC-Concurrent-To': '<b>' }, asked),
    ]),
  );
  const preflight = index.entries.find(({ method }) => method === 'OPTIONS');
  assert.deepEqual(
    [preflight?.host, preflight?.path, preflight?.headers],
    [
      'far.test',
      '/data',
      [
        ['access-control-allow-origin', '*'],
        ['access-control-allow-methods', 'PUT'],
        ['access-control-allow-headers', 'x-own'],
        ['access-control-allow-headers', 'content-type'],
      ],
    ],
  );
  assert.match(warnings.join(), /1 preflights that the file leaves out/);
});
