import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, deflateSync, gunzipSync, zstdCompressSync } from 'node:zlib';
import { parseHttpAnswer } from '../../../../sites/record/parse-http-answer.ts';
import {
  addressesOf,
  answersOf,
  dateAfter,
  importedWarc,
  warcRecord,
  warcResponse,
  type AnswerOfFile,
} from '../../../support/imported-file.ts';

const html = '<!doctype html><title>LF</title>';
const style = 'h1{color:rgb(1,2,3)}';

test('heads whose lines end with LF alone, with and without empty lines in the body, lose nothing', async (t) => {
  const ofLines = (url: string, type: string, body: string): Buffer =>
    warcResponse({ url, type, body }, '\n');
  const { archive, leftOut } = await importedWarc(t, [
    ofLines('https://lf.test/', 'text/html', html),
    ofLines('https://lf.test/a.css', 'text/css', 'body { color: green }\nh1 { font-size: 9px }\n'),
    ofLines('https://lf.test/crlf.txt', 'text/plain', 'first part\r\n\r\nsecond part'),
    warcResponse({ url: 'https://lf.test/old', body: html, first: 'HTTP 200 Document follows' }),
    // Heads of mixed lines, of a redirect, and chunks whose lines end with LF.
    warcRecord(
      { type: 'response', url: 'https://lf.test/mixed' },
      `HTTP/1.0 200\r\nX-A: 1\nContent-Type: text/html\n\r\n${html}`,
    ),
    warcResponse({ url: 'https://lf.test/go', status: 301, headers: [['Location', '/']] }, '\n'),
    warcResponse(
      {
        url: 'https://lf.test/chunks',
        type: 'text/plain',
        headers: [['Transfer-Encoding', 'chunked']],
        body: '3\nabc\n2;x\nde\n0\n\n',
      },
      '\n',
    ),
  ]);
  assert.deepEqual(leftOut, []);
  assert.deepEqual(answersOf(archive), {
    '/': [200, 'text/html', html],
    '/a.css': [200, 'text/css', 'body { color: green }\nh1 { font-size: 9px }\n'],
    '/crlf.txt': [200, 'text/plain', 'first part\r\n\r\nsecond part'],
    '/old': [200, 'text/html', html],
    '/mixed': [200, 'text/html', html],
    '/go': [301, 'text/html', ''],
    '/chunks': [200, 'text/plain', 'abcde'],
  });
});

test('what comes before the answer itself is none, and what a writer cut short goes as far as it does', async (t) => {
  const chunked = [['Transfer-Encoding', 'chunked']] as const;
  const { archive, leftOut, warnings } = await importedWarc(t, [
    warcRecord(
      { type: 'response', url: 'https://lf.test/' },
      `HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`,
    ),
    ...[
      ['in-chunk', '5\r\nwhole\r\nff\r\npart'],
      ['between', '5\r\nwhole\r\n'],
    ].map(([name, body]) =>
      warcResponse({
        url: `https://lf.test/${name}`,
        type: 'text/plain',
        headers: chunked,
        body: body ?? '',
        more: { 'WARC-Truncated': 'length' },
      }),
    ),
    warcResponse({
      url: 'HTTPS://LF.TEST/joined',
      type: 'text/plain',
      headers: chunked,
      body: 'abc\r\nno chunk',
    }),
  ]);
  assert.deepEqual(leftOut, []);
  assert.deepEqual(answersOf(archive), {
    '/': [200, 'text/html', html],
    '/in-chunk': [200, 'text/plain', 'wholepart'],
    '/between': [200, 'text/plain', 'whole'],
    '/joined': [200, 'text/plain', 'abc\r\nno chunk'],
  });
  assert.match(warnings.join('\n'), /cut short: 2, .*in-chunk, https:\/\/lf\.test\/between$/);
});

test('a record and those that continue it are one answer', async (t) => {
  const part = (segment: string, id: string): Record<string, string> => ({
    'WARC-Segment-Number': segment,
    'WARC-Segment-Origin-ID': id,
  });
  const url = 'https://lf.test/film';
  const { archive, leftOut } = await importedWarc(t, [
    warcResponse({ url: 'https://lf.test/', body: html }),
    warcResponse({
      url,
      type: 'text/plain',
      body: 'one',
      more: { 'WARC-Record-ID': '<first>', 'WARC-Segment-Number': '1' },
    }),
    warcRecord({ type: 'continuation', url, more: part('3', '<first>') }, 'three'),
    warcRecord({ type: 'continuation', url, more: part('2', '<first>') }, 'two'),
  ]);
  assert.deepEqual(answersOf(archive)['/film'], [200, 'text/plain', 'onetwothree']);
  assert.deepEqual(leftOut, []);
});

test('a body that stands decoded under the header of its coding is encoded again, one in its coding stays', async (t) => {
  const coded = (name: string, body: Buffer | string): Buffer =>
    warcRecord(
      { type: 'response', url: `https://lf.test/${name}` },
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: ${name}\r\n\r\n`),
        Buffer.from(body),
      ]),
    );
  const { archive } = await importedWarc(t, [
    warcResponse({ url: 'https://lf.test/', body: html }),
    coded('br', html),
    coded('gzip', html),
    coded('deflate', deflateSync(html)),
    coded('zstd', zstdCompressSync(html).subarray(0, 20)),
  ]);
  const bodies = Object.fromEntries(archive.index.entries.map((each) => [each.path, archive.body(each)]));
  assert.equal(brotliDecompressSync(bodies['/br'] ?? '').toString(), html);
  assert.equal(gunzipSync(bodies['/gzip'] ?? '').toString(), html);
  assert.deepEqual(bodies['/deflate'], deflateSync(html));
  assert.equal(bodies['/zstd']?.length, 20);
});

test('a folded header is one, and what has no status is no answer', () => {
  const answer = parseHttpAnswer(Buffer.from('HTTP/1.1 200 OK\nX-Fold: a\n\t b: c\nX-Last: 1\n\nbody'));
  assert.deepEqual(answer?.headers, [
    ['X-Fold', 'a b: c'],
    ['X-Last', '1'],
  ]);
  assert.equal(answer?.body.toString(), 'body');
  for (const text of ['HTTP/1.1 OK\r\n\r\n', 'HTTPS 200', 'HTTP/1.1 2000 X\r\n\r\n', ''])
    assert.equal(parseHttpAnswer(Buffer.from(text)), null, text);
});

const digestOf = (body: string): string => `sha1:${createHash('sha1').update(body).digest('hex')}`;

function response(answer: AnswerOfFile & { readonly id?: string }): Buffer {
  const more = {
    'WARC-Payload-Digest': digestOf(answer.body ?? ''),
    ...(answer.id === undefined ? {} : { 'WARC-Record-ID': answer.id }),
  };
  return warcResponse({ ...answer, more });
}

const profile = (name: string): Record<string, string> => ({
  'WARC-Profile': `http://netpreserve.org/warc/1.1/revisit/${name}`,
});
const notModified = profile('server-not-modified');
const identical = profile('identical-payload-digest');
const unchanged = 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n';
const styleUrl = 'https://rv.test/s.css';
const before = [
  response({ url: 'https://rv.test/', body: '<!doctype html>rv' }),
  response({ url: 'https://rv.test/go', status: 302, headers: [['Location', '/']], atSeconds: 1 }),
  response({ url: 'https://rv.test/none', status: 204, atSeconds: 1 }),
];

test('a revisit has the answer that it refers to, never another that is empty too', async (t) => {
  const elsewhere = response({
    url: 'http://rv.test/s.css',
    type: 'text/css',
    body: style,
    atSeconds: 3,
    id: '<urn:s>',
  });
  const earlier = response({ url: styleUrl, type: 'text/css', body: 'h1{}', atSeconds: 2 });
  const same = response({ url: styleUrl, type: 'text/css', body: style, atSeconds: 3 });
  const cases: Record<string, [originals: Buffer[], more: Record<string, string>, block: string]> = {
    'address and date, digest of nothing': [
      [elsewhere],
      {
        ...notModified,
        'WARC-Refers-To-Target-URI': 'http://rv.test/s.css',
        'WARC-Refers-To-Date': dateAfter(3).replace('.000', ''),
      },
      unchanged,
    ],
    'its own address': [[same], { ...notModified, 'WARC-Truncated': 'length' }, ''],
    'the record': [[elsewhere], { ...notModified, 'WARC-Refers-To': '<urn:s>' }, unchanged],
    'the latest of its address': [[earlier, same], notModified, unchanged],
    'content of another address': [
      [elsewhere, earlier],
      { ...identical, 'WARC-Payload-Digest': digestOf(style) },
      'HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n',
    ],
  };
  for (const [name, [originals, more, block]] of Object.entries(cases)) {
    const headers = { 'WARC-Payload-Digest': digestOf(''), ...more };
    const { archive, leftOut } = await importedWarc(t, [
      ...before,
      ...originals,
      warcRecord({ type: 'revisit', url: styleUrl, atSeconds: 9, more: headers }, block),
    ]);
    assert.deepEqual(leftOut, [], name);
    const last = archive.index.entries.at(-1);
    assert.ok(last);
    assert.deepEqual([last.scheme, last.path, last.status], ['https', '/s.css', 200], name);
    assert.equal(Buffer.from(archive.body(last)).toString(), style, name);
  }
});

test('a revisit of nothing that the file holds is left out with its reason, one of a redirect is whole', async (t) => {
  const revisit = (path: string, block: string, more = {}): Buffer =>
    warcRecord(
      {
        type: 'revisit',
        url: `https://rv.test${path}`,
        more: { ...notModified, 'WARC-Payload-Digest': digestOf(''), ...more },
      },
      block,
    );
  const { archive, leftOut } = await importedWarc(t, [
    ...before,
    revisit('/lost.css', unchanged),
    revisit('/other.css', 'HTTP/1.1 200 OK\r\n\r\n', {
      ...identical,
      'WARC-Payload-Digest': digestOf('lost'),
    }),
    revisit('/moved', 'HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n', identical),
  ]);
  assert.deepEqual(leftOut, [
    { url: 'https://rv.test/lost.css', reason: 'a revisit of an answer that the file does not hold' },
    { url: 'https://rv.test/other.css', reason: 'a revisit of an answer that the file does not hold' },
  ]);
  assert.deepEqual(Object.keys(answersOf(archive)), ['/', '/go', '/none', '/moved']);
});

test('a plain 304 is no answer for a browser without a cache', async (t) => {
  const { archive, leftOut } = await importedWarc(t, [
    ...before,
    response({ url: styleUrl, status: 304 }),
    response({ url: 'https://rv.test/', status: 304 }),
  ]);
  assert.deepEqual(Object.keys(answersOf(archive)), ['/', '/go', '/none']);
  assert.deepEqual(addressesOf(leftOut), [styleUrl, 'https://rv.test/']);
  assert.match(leftOut[0]?.reason ?? '', /304 is no answer/);
});
