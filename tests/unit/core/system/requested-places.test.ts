import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { makeFolder } from '../../../../src/core/system/storage-error.ts';
import { requireRoomFor, requireWritable } from '../../../../src/core/system/write-whole.ts';
import { startCli } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const linuxOnly = process.platform === 'linux' ? false : 'needs /proc, so Linux only';

const isRefusal =
  (code: string, words: RegExp) =>
  (error: unknown): boolean =>
    error instanceof H2h3Error && error.code === code && words.test(error.message);

test('a folder is made with those above it, and the outermost new one is told', (t) => {
  const folder = tempFolder(t);
  assert.equal(makeFolder(join(folder, 'a', 'b', 'c')), join(folder, 'a'));
  assert.deepEqual(readdirSync(join(folder, 'a')), ['b']);
  assert.equal(makeFolder(join(folder, 'a', 'b', 'd')), join(folder, 'a', 'b', 'd'));
  assert.equal(makeFolder(join(folder, 'a', 'b')), undefined);
});

test(
  'a folder that the system does not make is refused at once, wherever it was asked for',
  { skip: linuxOnly },
  (t) => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('nowhere', join(folder, 'broken'));
    symlinkSync('itself', join(folder, 'itself'));
    const places = ['/proc/x/y', '/proc/x', '/proc/self/fd/x/y', '/dev/null/x'];
    for (const place of [
      ...places,
      ...['file', 'file/x', 'broken', 'broken/x', 'itself/x'].map((name) => join(folder, name)),
    ])
      assert.throws(() => makeFolder(place), isRefusal('storage', /^cannot write /), place);
  },
);

test(
  'a file that cannot be written is refused by its option, before anything is done for it',
  { skip: linuxOnly },
  (t) => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), 'kept');
    for (const [file, reason] of [
      ['/proc/x/y', /the folder is gone or cannot be made$/],
      ['/proc/self/new', /cannot write/],
      ['/dev/null', /it is no plain file$/],
      ['/dev/stdin/x', /cannot write/],
      [join(folder, 'folder'), /it is a folder$/],
      [join(folder, 'file', 'x'), /a file is in the way$/],
      [join(folder, 'n'.repeat(300)), /the name is too long$/],
    ] as const)
      assert.throws(
        () => requireWritable(file, '--json'),
        (error) => {
          assert.ok(isRefusal('usage', reason)(error), `${file}: ${String(error)}`);
          return String(error).includes(`--json ${file}: `);
        },
      );
    requireWritable(join(folder, 'file'), '--json');
    requireWritable(join(folder, 'new', 'deep', 'file'), '--json');
    assert.deepEqual(readdirSync(join(folder, 'new', 'deep')), [], 'it leaves nothing of itself');
  },
);

test(
  'each option that names a file to write is refused in one sentence, and nothing has run',
  { skip: linuxOnly, timeout: 120_000 },
  async (t) => {
    const folder = tempFolder(t);
    const ran = join(folder, 'ran');
    for (const words of [
      ['exec', '--network', 'none', '--json', '/proc/x/y', '--', 'touch', ran],
      ['exec', '--network', 'none', '--json', '/dev/full', '--', 'touch', ran],
      ['compare', 'a', 'b', '--out', '/proc/x/y.html'],
      ['record', 'http://127.0.0.1:1/', '--out', '/proc/x/y'],
      ['run', 'web', '--out', '/proc/x/y/z', '--repetitions', '6'],
    ]) {
      const started = startCli(words);
      t.after(() => started.child.kill('SIGKILL'));
      const { code, stderr } = await started.result;
      assert.ok(code !== null && code > 0, `${words.join(' ')}: ${code}`);
      assert.match(stderr, /^h2h3: [^\n]+\n/, words.join(' '));
      assert.doesNotMatch(stderr, /a fault of h2h3 itself|\n {4}at /, words.join(' '));
    }
    assert.deepEqual(readdirSync(folder), []);
  },
);

test('a look whether a folder can be made leaves nothing of itself, nor takes from others', (t) => {
  const folder = tempFolder(t);
  requireRoomFor(join(folder, 'a', 'b', 'run'));
  assert.deepEqual(readdirSync(folder), []);
  mkdirSync(join(folder, 'a'));
  requireRoomFor(join(folder, 'a', 'b', 'run'));
  assert.deepEqual(readdirSync(folder), ['a']);
  assert.deepEqual(readdirSync(join(folder, 'a')), []);
});
