import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import {
  framesFolder,
  harFile,
  rawFile,
  readEvidence,
  readFrames,
  readHar,
  readRaw,
} from '../../../src/store/evidence.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** 300 MB of zeros, packed. */
const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 });

/** Things in the place of a packed file of a trial, and what is said of each. */
const broken: readonly (readonly [what: string, put: (file: string) => void, reason: RegExp])[] = [
  [
    'cut short',
    (file) => writeFileSync(file, gzipSync('{}'.repeat(999)).subarray(0, 15)),
    /cannot be unpacked: it is damaged/,
  ],
  ['a bomb', (file) => writeFileSync(file, bomb), /more than 268435456 bytes unpacked/],
  ['no JSON', (file) => writeFileSync(file, gzipSync('{')), /is not JSON/],
  [
    'of another form',
    (file) => writeFileSync(file, gzipSync('{"a":1}')),
    /is no evidence of a trial|holds no list of pages/,
  ],
  ['a link', (file) => symlinkSync('/dev/zero', file), /it is a symbolic link/],
  ...(process.platform === 'linux'
    ? [
        [
          'a named pipe',
          (file: string) => void execFileSync('mkfifo', [file]),
          /it is no regular file/,
        ] as const,
      ]
    : []),
];

for (const [what, put, reason] of broken)
  test(`evidence that is ${what} is refused in one sentence with the file`, (t) => {
    const folder = tempFolder(t);
    for (const [name, read] of [
      [rawFile, readEvidence],
      [rawFile, readRaw],
      [harFile, readHar],
    ] as const) {
      const file = join(folder, name);
      put(file);
      assert.throws(
        () => read(folder),
        (error) =>
          error instanceof H2h3Error &&
          error.code === 'bad-input' &&
          error.message.startsWith(file) &&
          reason.test(error.message),
        `${what}, ${read.name}`,
      );
      rmSync(file);
    }
  });

test('frames are read as far as they have room in memory together, each as often as it is named', (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, framesFolder));
  const file = '0001.jpg';
  writeFileSync(join(folder, framesFolder, file), 'a');
  const named = Array.from({ length: 3 }, (_, tMs) => ({ file, tMs }));
  assert.deepEqual(
    readFrames(folder, named),
    Array.from({ length: 3 }, () => Buffer.from('a')),
  );
  truncateSync(join(folder, framesFolder, file), 200 * 1024 * 1024);
  assert.throws(() => readFrames(folder, named), {
    code: 'bad-input',
    message: /frames cannot be read: its frames have 629145600 bytes, more than 536870912 are not taken$/,
  });
});
