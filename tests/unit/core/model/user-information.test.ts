import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasUserInformation,
  shownAddress,
  userInformationOf,
  withoutUserInformation,
} from '../../../../src/core/model/user-information.ts';

test('user information of every address of a text is left out, however it is written', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['redis://:SECRET@lab:6379', 'redis://…@lab:6379'],
    ['redis://me:%2FSECRET%23@lab:6379', 'redis://…@lab:6379'],
    [
      'h2h3 run --workers redis://me:SECRET@lab:6379/0 --out x',
      'h2h3 run --workers redis://…@lab:6379/0 --out x',
    ],
    ["'https://me:SE@CRET@lab/a@b'", "'https://…@lab/a@b'"],
    ['http://SECRET@lab, https://a:SECRET@b', 'http://…@lab, https://…@b'],
    ['{"url":"https://me:SECRET@lab"}', '{"url":"https://…@lab"}'],
    ['s3://bucket/prefix?endpoint=https://me:SECRET@lab', 's3://bucket/prefix?endpoint=https://…@lab'],
    ['s3://b/p?endpoint=https%3A%2F%2Fme%3ASECRET%40lab%2Fa', 's3://b/p?endpoint=https%3A%2F%2F…@lab%2Fa'],
  ];
  for (const [text, clean] of texts) assert.equal(withoutUserInformation(text), clean);
});

test('references, and addresses without user information, stay as they are', () => {
  for (const text of [
    "'redis://:${QUEUE_PASSWORD}@lab:6379'",
    "'redis://${USER}:${file:/run/secrets/word}@lab:6379'",
    'https://example.org/@someone/post?to=me@example.org',
    'https://example.org/?next=https%3A%2F%2Fexample.org%2F%40me',
    'write to me@example.org, see https://example.org',
  ])
    assert.equal(hasUserInformation(text), false, text);
});

test('an address that stands alone is shown without user information that texts are not searched for', () => {
  for (const [address, shown] of [
    ["redis://me:SEC'RET@lab:6379/0", 'redis://…@lab:6379/0'],
    ['rediss://:SEC"RET@lab', 'rediss://…@lab'],
    ['https:me:SECRET@lab/a', 'https://…@lab/a'],
    ['redis://me:SECRET@lab', 'redis://…@lab'],
  ] as const) {
    assert.notEqual(userInformationOf(address), '', address);
    assert.equal(shownAddress(address), shown);
  }
  for (const address of ['redis://lab:6379', 'https://example.org/@a?to=me@b', '/net/lab']) {
    assert.equal(userInformationOf(address), '', address);
    assert.equal(shownAddress(address), address);
  }
});

test('nothing is shown of a text with @ that is no address', () => {
  assert.equal(shownAddress('https://u:a/SECRET@h:x/'), '…');
  assert.equal(shownAddress('shop.example'), 'shop.example');
});
