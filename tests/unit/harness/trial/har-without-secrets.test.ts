import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanerOfAccess, harWithoutSecrets } from '../../../../harness/trial/har-without-secrets.ts';
import type { Har, HarEntry } from '../../../../src/core/model/har.ts';

const entry: HarEntry = {
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 1,
  request: {
    method: 'POST',
    url: 'https://a.example/?key=secret%2Fone',
    httpVersion: 'h2',
    headersSize: -1,
    bodySize: -1,
    headers: [
      { name: 'Cookie', value: 'sid=of-the-site' },
      { name: 'X-Own', value: 'given' },
      { name: 'accept', value: '*/*' },
    ],
    cookies: [{ name: 'sid', value: 'of-the-site' }],
    postData: { text: 'password=typed' },
  },
  response: {
    status: 200,
    statusText: '',
    httpVersion: 'h2',
    headersSize: -1,
    bodySize: -1,
    headers: [{ name: 'set-cookie', value: 'sid=of-the-site' }],
    content: { size: 1, mimeType: 'text/html' },
    cookies: [{ name: 'sid', value: 'of-the-site' }],
  },
  cache: {},
  timings: { send: 0, wait: 1, receive: 0 },
};
const har: Har = {
  log: { version: '1.2', creator: { name: 'h2h3', version: '0' }, pages: [], entries: [entry] },
};

test('a HAR of a live page keeps no cookie, no given header, nothing posted and no known secret, and all the rest', () => {
  const clean = harWithoutSecrets(har, cleanerOfAccess([{ name: 'x-own', value: 'given' }], ['secret/one']));
  const text = JSON.stringify(clean);
  for (const lost of ['of-the-site', 'given', 'typed', 'secret%2Fone']) assert.ok(!text.includes(lost), lost);
  const [first] = clean.log.entries;
  assert.deepEqual(
    first?.request.headers.map(({ name }) => name),
    ['Cookie', 'X-Own', 'accept'],
  );
  assert.equal(first?.request.headers[2]?.value, '*/*');
  assert.equal(first.response.httpVersion, 'h2');
  assert.ok(JSON.stringify(har).includes('of-the-site'), 'the given HAR stays as it is');
});
