import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressFrom, givenAddress } from '../../../../src/app/plan/given-address.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { withoutUserInformation } from '../../../../src/core/model/user-information.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const environment = {
  WORD: 'p/a@s#s 1',
  WHOLE: 'redis://me:word@lab:6379',
  TOKEN: 'a/b',
  QUOTED: "it's (a) word!*",
};
const given = (written: string): string =>
  givenAddress('--workers', written, { environment, like: 'redis://…' });

test('an address takes its secrets from variables and files, escaped where they are its password', (t) => {
  const file = join(tempFolder(t), 'word');
  writeFileSync(file, 'from:file\n');
  assert.equal(given('redis://me:${WORD}@lab:6379'), 'redis://me:p%2Fa%40s%23s%201@lab:6379');
  assert.equal(decodeURIComponent(new URL(given('redis://:${WORD}@lab:6379')).password), environment.WORD);
  assert.equal(given(`rediss://:\${file:${file}}@lab`), 'rediss://:from%3Afile@lab');
  assert.equal(given('${WHOLE}'), environment.WHOLE);
  assert.equal(addressFrom('the webhook', 'https://chat/${TOKEN}', environment), 'https://chat/a/b');
  assert.equal(given('/net/lab'), '/net/lab');
  const quoted = given('redis://:${QUOTED}@lab');
  assert.equal(decodeURIComponent(new URL(quoted).password), environment.QUOTED);
  assert.equal(withoutUserInformation(quoted), 'redis://…@lab');
});

test('a secret that is written in an address is refused without repeating it', () => {
  for (const written of [
    'redis://:hunter2@lab:6379',
    'redis://me:hunter2@lab:6379',
    'redis://hunter2@lab:6379',
    'redis://me:${WORD}hunter2@lab:6379',
    'redis://lab:6379?password=hunter2hunter2',
    's3://bucket/prefix?endpoint=https://key:hunter2@lab',
    "redis://me:hun'hunter2@lab:6379",
    'redis://me:hun"hunter2@lab:6379',
    'redis://me:hun`hunter2@lab:6379',
    'redis://me:hun hunter2@lab:6379',
    'redis://me:hun\\hunter2@lab:6379',
    "redis://me:${WORD}'hunter2@lab:6379",
    'https:me:hunter2@lab',
    'https:/me:hunter2@lab',
    'https:\\\\me:hunter2@lab',
  ])
    assert.throws(
      () => given(written),
      (error) =>
        error instanceof H2h3Error &&
        error.code === 'usage' &&
        /--workers has a secret written in it/.test(error.message) &&
        ![error.message, error.next].join().includes('hunter2'),
      written,
    );
});

test('a variable that is not set is named', () => {
  assert.throws(() => given('redis://:${NONE}@lab'), /the variable NONE is not set, and --workers needs/);
});
