import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FarContent } from '../../../../harness/hosts/far-content.ts';
import { innerPathSchema } from '../../../../harness/hosts/far-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('a content is sent once, in parts, and makes files of any name', (t) => {
  const folder = tempFolder(t);
  const open = (): FarContent => new FarContent(join(folder, 'content'), join(folder, 'partial'));
  const digest = digestOf('hello world');
  assert.deepEqual(open().missing([digest, digest]), [digest]);
  const content = open();
  content.put({ digest, base64: base64('hello '), isLast: false });
  assert.deepEqual(content.missing([digest]), [digest]);
  content.put({ digest, base64: base64('world'), isLast: true });
  assert.deepEqual(open().missing([digest]), []);
  const files = ['index.html', 'a/b/c.css'].map((path) => ({ path, digest }));
  content.lay(join(folder, 'root'), files);
  for (const { path } of files) assert.equal(readFileSync(join(folder, 'root', path), 'utf8'), 'hello world');
});

test('what is damaged on its way is not kept, and nothing is made of what was not sent', (t) => {
  const folder = tempFolder(t);
  const content = new FarContent(join(folder, 'content'), join(folder, 'partial'));
  const digest = digestOf('hello');
  assert.throws(() => content.put({ digest, base64: base64('hallo'), isLast: true }), /damaged on its way/);
  assert.deepEqual(readdirSync(join(folder, 'content')), []);
  assert.throws(() => content.lay(join(folder, 'root'), [{ path: 'a', digest }]), /was not sent/);
});

test('a path of a root stays below it', () => {
  for (const path of ['a', 'a/b', '.hidden', 'a..b/c d', 'ä'])
    assert.ok(innerPathSchema.safeParse(path).success, path);
  for (const path of [
    '',
    '/etc/passwd',
    '..',
    '../a',
    'a/../../b',
    'a//b',
    './a',
    'a/.',
    'a\u0000b',
    'a\\..\\b',
  ])
    assert.ok(!innerPathSchema.safeParse(path).success, path);
});
