import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { partBytes } from '../../../../harness/hosts/far-files.ts';
import { farCalls } from '../../../../harness/hosts/far-protocol.ts';
import { bringFiles, type AskPart } from '../../../../harness/hosts/left-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What another machine answers that has these files. */
const partsOf =
  (files: Readonly<Record<string, Buffer>>): AskPart =>
  (path, offsetBytes) =>
    Promise.resolve((files[path] ?? Buffer.alloc(0)).subarray(offsetBytes, offsetBytes + partBytes));

test('files of a trial come part by part into their folders', async (t) => {
  const folder = join(tempFolder(t), 'trial');
  const long = Buffer.alloc(2 * partBytes + 5, 7);
  const files = { 'page.har.gz': Buffer.from('har'), 'frames/0001.jpg': long, empty: Buffer.alloc(0) };
  const listed = Object.entries(files).map(([path, { length: bytes }]) => ({ path, bytes }));
  await bringFiles(folder, listed, 'far', partsOf(files));
  for (const [path, content] of Object.entries(files))
    assert.ok(readFileSync(join(folder, path)).equals(content), path);
});

test('a list that no folder has, and a file that is another than was said, are refused', async (t) => {
  const folder = join(tempFolder(t), 'trial');
  const impossible = [
    [
      { path: 'a', bytes: 1 },
      { path: 'a', bytes: 1 },
    ],
    [
      { path: 'a', bytes: 1 },
      { path: 'a/b/c', bytes: 1 },
    ],
    [
      { path: 'a', bytes: 3_000_000_000 },
      { path: 'b', bytes: 3_000_000_000 },
    ],
  ];
  for (const files of impossible)
    await assert.rejects(bringFiles(folder, files, 'far', partsOf({})), {
      code: 'bad-input',
      message: 'far says that a trial left what none leaves',
    });
  const answers: Readonly<Record<string, AskPart>> = {
    shorter: partsOf({ a: Buffer.alloc(4) }),
    longer: () => Promise.resolve(Buffer.alloc(6)),
    'without an end': () => Promise.resolve(Buffer.alloc(partBytes + 1)),
  };
  for (const [what, ask] of Object.entries(answers))
    await assert.rejects(
      bringFiles(folder, [{ path: 'a', bytes: 5 }], 'far', ask),
      { code: 'bad-input', message: 'far gave another file than it said: a' },
      what,
    );
});

test('no path of another machine leaves the folder of the trial', () => {
  const { answers } = farCalls.files;
  const isFine = (path: string): boolean => answers.safeParse({ files: [{ path, bytes: 1 }] }).success;
  assert.ok(isFine('frames/0001.jpg'));
  for (const path of ['/etc/passwd', '../a', 'a/../../b', 'a//b', './a', 'a\\b', 'a\0b', ''])
    assert.ok(!isFine(path), JSON.stringify(path));
  assert.ok(!answers.safeParse({ files: [{ path: 'a', bytes: -1 }] }).success);
  assert.ok(!answers.safeParse({ files: [{ path: 'a', bytes: 5e9 }] }).success);
  assert.ok(!answers.safeParse({ files: [{ path: 'a', bytes: 1, mode: 511 }] }).success);
});

test('a folder that is a file here is no fault of the other machine', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'trial'));
  symlinkSync('/proc/self/none', join(folder, 'trial', 'frames'));
  await assert.rejects(
    bringFiles(join(folder, 'trial'), [{ path: 'frames/1', bytes: 1 }], 'far', partsOf({})),
    { code: 'storage' },
  );
});
