import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  secretsOfEnvironment,
  valueWithoutSecrets,
  noSecretReason,
  withoutSecrets,
} from '../../../../src/core/model/secrets.ts';

test('a secret is left out of a text whichever way it is written there', () => {
  const secret = 'a "b"/ü';
  const text = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ word: secret }),
    JSON.stringify(secret),
    Buffer.from(secret).toString('base64'),
  ].join(' ');
  const clean = withoutSecrets(text, [secret]);
  assert.equal(clean.replaceAll('(left-out-by-h2h3)', '*'), '* * * word=* "*" *');
});

test('of a secret of several lines each line is left out also where it comes alone', () => {
  const key =
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\nBCIEIJ1hsZ3v\nab==\n-----END PRIVATE KEY-----\n';
  const said = 'read: MC4CAQAwBQYDK2Vw\nBCIEIJ1hsZ3v ab==';
  assert.equal(withoutSecrets(said, [key]), 'read: (left-out-by-h2h3)\n(left-out-by-h2h3) ab==');
  assert.equal(withoutSecrets(`key ${key}`, [key]), 'key (left-out-by-h2h3)');
});

test('only texts of a value are cleaned: names of fields, numbers and structure stay', () => {
  const value = {
    pages: [{ title: 'my pages', size: 123456, none: null, ok: true }],
    url: 'https://a/?x=pages',
  };
  assert.deepEqual(valueWithoutSecrets(value, ['pages', '123456', 'null', 'true']), {
    pages: [{ title: 'my (left-out-by-h2h3)', size: 123456, none: null, ok: true }],
    url: 'https://a/?x=(left-out-by-h2h3)',
  });
  assert.equal(valueWithoutSecrets(value, []), value);
});

test('of secrets that contain one another the whole is left out, and a lone surrogate is no fault', () => {
  assert.equal(withoutSecrets('[abcdef-ghijkl]', ['abcdef', 'abcdef-ghijkl']), '[(left-out-by-h2h3)]');
  assert.equal(withoutSecrets('x\ud800-secret', ['x\ud800-secret']), '(left-out-by-h2h3)');
});

test('a text that stands everywhere cannot be kept secret', () => {
  for (const text of ['', 'https', 'pages', 'document', 'Content-Type', 'localhost'])
    assert.notEqual(noSecretReason(text), undefined, text);
  for (const text of ['hunter2', '123456', 'correct horse'])
    assert.equal(noSecretReason(text), undefined, text);
});

test('of variables those are secret that are called so, or that a text names', () => {
  const environment = {
    DB_PASSWORD: 'one-one',
    API_KEY: 'two-two',
    H2H3_WORKERS_KEY: 'four-four',
    OWN: 'three-3',
    PWD: '/home/lab',
    CI: 'true',
  };
  const called = ['one-one', 'two-two', 'four-four'];
  assert.deepEqual(secretsOfEnvironment(environment, ''), called);
  assert.deepEqual(secretsOfEnvironment(environment, 'serve --as "$OWN"'), [...called, 'three-3']);
  assert.deepEqual(secretsOfEnvironment(environment, 'process.env.CI'), called);
});
