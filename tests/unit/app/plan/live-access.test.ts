import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { liveAccessOf } from '../../../../src/app/plan/live-access.ts';
import { readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { unkeptCookies } from '../../../../src/core/model/live-access.ts';
import type { LiveOptions } from '../../../../src/core/model/live-address.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const url = ['https://a.example/'];

test('references are read from environment and files, and every secret is known by name', (t) => {
  const file = join(tempFolder(t), 'token');
  writeFileSync(file, 'token-from-file\n');
  const access = liveAccessOf(
    {
      headers: ['Authorization: Bearer ${TOKEN}', 'Accept-Language: de', `X-Key: \${file:${file}}`],
      cookies: ['sid=${SID}'],
      basicAuth: 'me:${WORD}',
    },
    { TOKEN: 'token-one', SID: 'abcd-efgh', WORD: 'a word' },
    url,
  );
  assert.deepEqual(access?.headers, [
    { name: 'Authorization', value: 'Bearer token-one' },
    { name: 'Accept-Language', value: 'de' },
    { name: 'X-Key', value: 'token-from-file' },
    { name: 'Authorization', value: `Basic ${btoa('me:a word')}` },
  ]);
  assert.deepEqual(access?.cookies, [{ name: 'sid', value: 'abcd-efgh' }]);
  assert.deepEqual(
    access?.secrets.toSorted(),
    ['a word', 'abcd-efgh', btoa('me:a word'), 'token-from-file', 'token-one'].toSorted(),
  );
  assert.equal(liveAccessOf({ block: ['ads'] }, {}, url), undefined);
});

test('a secret that stands in the request itself is refused without being repeated', () => {
  for (const flags of [
    { header: ['X-Key: s3cret-value'] },
    { cookie: ['sid=s3cret-value'] },
    { basicAuth: 'me:s3cret-value' },
    { basicAuth: '${USER}:s3cret-value' },
  ])
    assert.throws(
      () => readPlanRequest(undefined, { url, ...flags }),
      ({ message }: Error) => /want the secret as/.test(message) && !message.includes('s3cret-value'),
    );
  assert.doesNotThrow(() => readPlanRequest(undefined, { url, header: ['Accept-Language: de'] }));
  assert.throws(
    () => readPlanRequest('download', { header: ['Accept-Language: de'] }),
    /--header is for live addresses/,
  );
});

test('a saved state that is none is named without its text', (t) => {
  const file = join(tempFolder(t), 'state.json');
  writeFileSync(file, '{"cookies": [{"name": "sid", "value": "s3cret-value"');
  const refused = (pattern: RegExp) => (thrown: Error) =>
    pattern.test(thrown.message) && !thrown.message.includes('s3cret-value');
  assert.throws(
    () => liveAccessOf({ storageState: file }, {}, url),
    refused(/is no storage state: it is not JSON/),
  );
  writeFileSync(file, '{"cookies": [{"name": "sid", "value": "s3cret-value"}]}');
  assert.throws(() => liveAccessOf({ storageState: file }, {}, url), refused(/cookies\.0\.domain/));
});

test('a secret that is too short, a usual word or a part of the address is refused with the reason, a user name is not', () => {
  const refused = (live: LiveOptions, value: string, reason: RegExp): void =>
    assert.throws(
      () => liveAccessOf(live, { PIN: value }, ['https://account.example/orders']),
      ({ message }: Error) => reason.test(message) && !message.includes(value),
      value,
    );
  for (const live of [{ headers: ['X: ${PIN}'] }, { cookies: ['x=${PIN}'] }, { basicAuth: 'me:${PIN}' }]) {
    refused(live, 'pages', /cannot be kept secret: it has 5 characters/);
    refused(live, 'HTTPS', /it has 5 characters/);
    refused(live, 'Response', /a word that stands in the evidence of every page/);
    refused(live, 'account', /stands in an address of the plan/);
  }
  const access = liveAccessOf({ basicAuth: '${WHO}:${WORD}' }, { WHO: 'me', WORD: 'hunter-2' }, url);
  assert.deepEqual(access?.secrets, ['hunter-2', btoa('me:hunter-2')]);
  const whole = liveAccessOf({ basicAuth: '${WHO}' }, { WHO: 'me:hunter-2' }, url);
  assert.deepEqual(whole?.secrets, ['hunter-2', btoa('me:hunter-2')]);
});

test('a cookie that opens something and is too short to be left out is told by name; what is no log-in is not', () => {
  const cookie = { domain: 'a.example', path: '/', expires: -1, secure: true, sameSite: 'Lax' as const };
  const cookies = [
    { ...cookie, name: 'sid', value: '12ab', httpOnly: true },
    { ...cookie, name: 'csrf_token', value: 'abc', httpOnly: false },
    { ...cookie, name: 'long', value: 'session-c41b6a02', httpOnly: true },
    { ...cookie, name: 'lang', value: 'de', httpOnly: false },
    { ...cookie, name: 'gone', value: '', httpOnly: true },
  ];
  assert.deepEqual(unkeptCookies({ cookies, origins: [] }, ''), ['sid', 'csrf_token']);
});
