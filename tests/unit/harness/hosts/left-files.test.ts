import assert from 'node:assert/strict';
import fs, { existsSync, readdirSync, readFileSync, statfsSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { partBytes } from '../../../../harness/hosts/far-files.ts';
import { farCalls } from '../../../../harness/hosts/far-protocol.ts';
import { bringFiles, type AskPart } from '../../../../harness/hosts/left-files.ts';
import { harFile, rawFile } from '../../../../src/store/evidence.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What another machine answers that has these files. */
const partsOf =
  (files: Readonly<Record<string, Buffer>>): AskPart =>
  (path, offsetBytes) =>
    Promise.resolve((files[path] ?? Buffer.alloc(0)).subarray(offsetBytes, offsetBytes + partBytes));

test('files of a trial come part by part into their folders', async (t) => {
  const folder = join(tempFolder(t), 'trial');
  const long = Buffer.alloc(2 * partBytes + 5, 7);
  const files = {
    'page.har.gz': Buffer.from('har'),
    'frames/0001.jpg': long,
    'frames.json': long,
    empty: Buffer.alloc(0),
  };
  const listed = Object.entries(files).map(([path, { length: bytes }]) => ({ path, bytes }));
  await bringFiles(folder, listed, 'far', partsOf(files));
  for (const [path, content] of Object.entries(files))
    assert.ok(readFileSync(join(folder, path)).equals(content), path);
});

const noneLeaves = 'far says that a trial left what none leaves';

test('a list that no folder of a trial has is refused', async (t) => {
  const folder = join(tempFolder(t), 'trial');
  const impossible: readonly (readonly [message: string, paths: readonly string[], bytes?: number])[] = [
    [noneLeaves, ['a', 'a']],
    [noneLeaves, ['a', 'a/b/c']],
    [noneLeaves, ['b/c', 'a.b', 'a/b', 'a-b', 'b']],
    [noneLeaves, [rawFile]],
    [noneLeaves, [`${rawFile}/a`]],
    [noneLeaves, [rawFile.toUpperCase()]],
    [noneLeaves, [`${harFile}/a`]],
    [
      'far says that a trial left 2 files of 2002 MB: at most 5000 files and 2000 MB are taken',
      ['a', 'b'],
      1_001_000_000,
    ],
    [
      'far says that a trial left 2 files of 10000 MB: at most 5000 files and 2000 MB are taken',
      ['a', 'b'],
      5e9,
    ],
    [
      'far says that a trial left 5001 files of 1 MB: at most 5000 files and 2000 MB are taken',
      Array.from({ length: 5001 }, (_, index) => `frames/${index}`),
    ],
  ];
  const neverAsked: AskPart = () => assert.fail('asked for a file');
  for (const [message, paths, bytes = 1] of impossible) {
    const files = paths.map((path) => ({ path, bytes }));
    await assert.rejects(bringFiles(folder, files, 'far', neverAsked), { code: 'bad-input', message });
  }
  assert.ok(!existsSync(folder));
});

test('a file that is another than was said is refused, and nothing of its trial stays', async (t) => {
  const folder = join(tempFolder(t), 'trial');
  const answers: Readonly<Record<string, (bytes: number) => AskPart>> = {
    shorter: (bytes) => partsOf({ a: Buffer.alloc(bytes - 1) }),
    longer: (bytes) => () => Promise.resolve(Buffer.alloc(bytes + 1)),
    'without an end': () => () => Promise.resolve(Buffer.alloc(partBytes + 1)),
    'in smaller parts': (bytes) => (_, offsetBytes) =>
      Promise.resolve(Buffer.alloc(bytes - offsetBytes > 1 ? 1 : 0)),
  };
  const whole = { path: 'frames/1', bytes: 1 };
  for (const [what, answerOf] of Object.entries(answers)) {
    const bytes = partBytes + 5;
    const ask = answerOf(bytes);
    await assert.rejects(
      bringFiles(folder, [whole, { path: 'a', bytes }], 'far', (path, offsetBytes) =>
        path === 'a' ? ask(path, offsetBytes) : Promise.resolve(Buffer.alloc(1)),
      ),
      { code: 'bad-input', message: 'far gave another file than it said: a' },
      what,
    );
    assert.deepEqual(readdirSync(folder), [], what);
  }
});

test('what one file fails by is told, in words of bounded length, and no more of the others is asked for', async (t) => {
  const folder = tempFolder(t);
  const long = Array.from({ length: 5 }, () => 'a'.repeat(200)).join('/');
  let asked = 0;
  const ask: AskPart = (path) => {
    if (path === long) return Promise.resolve(Buffer.alloc(0));
    asked++;
    return Promise.resolve(Buffer.alloc(partBytes));
  };
  const files = [
    { path: 'b', bytes: 100 * partBytes },
    { path: long, bytes: 1 },
  ];
  await assert.rejects(
    bringFiles(folder, files, 'far', ask),
    ({ message }: Error) => message.startsWith('far gave another file') && message.length < 600,
  );
  assert.ok(asked < 10, `asked ${asked} times`);
  assert.deepEqual(readdirSync(folder), []);
});

test('nothing is brought onto a disk that would be full by it', async (t) => {
  const folder = tempFolder(t);
  const stats = statfsSync(folder);
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  const free = (bytes: number): void => {
    mock.method(fs, 'statfsSync', () => ({ ...stats, bsize: 1, bavail: bytes }));
    syncBuiltinESMExports();
  };
  free(200_000_004);
  const files = [{ path: 'a', bytes: 5 }];
  await assert.rejects(
    bringFiles(folder, files, 'far', () => assert.fail('asked for a file')),
    { code: 'storage', message: 'there is no room for what a trial left on the other machine' },
  );
  free(200_000_005);
  await bringFiles(folder, files, 'far', partsOf({ a: Buffer.alloc(5) }));
});

test('no path of another machine leaves the folder of the trial', () => {
  const { answers } = farCalls.files;
  const isFine = (path: string): boolean => answers.safeParse({ files: [{ path, bytes: 1 }] }).success;
  assert.ok(isFine('frames/0001.jpg'));
  for (const path of ['/etc/passwd', '../a', 'a/../../b', 'a//b', './a', 'a\\b', 'a\0b', ''])
    assert.ok(!isFine(path), JSON.stringify(path));
  assert.ok(!answers.safeParse({ files: [{ path: 'a', bytes: -1 }] }).success);
  assert.ok(!answers.safeParse({ files: [{ path: 'a', bytes: 1, mode: 511 }] }).success);
});

test('names that no file system takes are none of a file', () => {
  const { answers } = farCalls.files;
  const isFine = (path: string): boolean => answers.safeParse({ files: [{ path, bytes: 1 }] }).success;
  assert.ok(isFine('a'.repeat(255)));
  assert.ok(isFine(`${'a'.repeat(255)}/`.repeat(3) + 'b'.repeat(255)));
  const tooLong = [
    'a'.repeat(256),
    'ä'.repeat(128),
    'ä/'.repeat(400),
    `${'a'.repeat(200)}/`.repeat(5) + 'b'.repeat(20),
  ];
  for (const path of ['a\nb', 'a\u001b[2J', 'a\u009b', ...tooLong])
    assert.ok(!isFine(path), JSON.stringify(path));
});

test('a file that cannot be kept under its name fails its trial, and no room ends the run', async (t) => {
  const folder = tempFolder(t);
  const files = [{ path: 'frames/1', bytes: 1 }];
  const bringing = (): Promise<void> =>
    bringFiles(folder, files, 'far', partsOf({ 'frames/1': Buffer.alloc(1) }));
  symlinkSync('/proc/self/none', join(folder, 'frames'));
  await assert.rejects(bringing(), {
    code: 'bad-input',
    message: /^far left a file that cannot be kept here \(E[A-Z]+\): frames\/1$/,
  });
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  for (const [code, fault] of [
    ['ENAMETOOLONG', 'bad-input'],
    ['EISDIR', 'bad-input'],
    ['ENOSPC', 'storage'],
    ['EDQUOT', 'storage'],
    ['EROFS', 'storage'],
    ['EACCES', 'storage'],
  ] as const) {
    const open = mock.method(fs, 'openSync', () => {
      throw Object.assign(new Error(code), { code });
    });
    syncBuiltinESMExports();
    await assert.rejects(bringing(), { code: fault }, code);
    open.mock.restore();
  }
});
