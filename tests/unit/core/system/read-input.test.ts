import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { appendLine } from '../../../../src/core/system/append-line.ts';
import { lockHolder, requireIsLock } from '../../../../src/core/system/lock-file.ts';
import {
  openRegularFile,
  readInput,
  readKept,
  readLines,
  readSmallFile,
} from '../../../../src/core/system/read-input.ts';
import { removeWithTest } from '../../../support/test-scope.ts';

const skip = process.platform === 'linux' ? false : 'needs mkfifo and /proc, so Linux only';
const folder = mkdtempSync(join(tmpdir(), 'h2h3-read-'));
removeWithTest(folder);

/** Things that are no small files, each under the name that it gets: none may be waited for or read without end. */
function placeHostile(parent: string): readonly string[] {
  mkdirSync(parent);
  const at = (name: string): string => join(parent, name);
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  writeFileSync(at('far-too-long'), Buffer.alloc(1 << 20, '1'));
  for (const [name, target] of [
    ['link-to-zero', '/dev/zero'],
    ['link-to-itself', 'link-to-itself'],
    ['link-to-memory', '/proc/self/mem'],
    ['link-to-pipe', 'pipe'],
  ] as const)
    symlinkSync(target, at(name));
  return [
    'pipe',
    'folder',
    'far-too-long',
    'link-to-zero',
    'link-to-itself',
    'link-to-memory',
    'link-to-pipe',
  ].map(at);
}

test('a small file in a shared place is read only where it is one', { skip }, () => {
  const hostile = [...placeHostile(join(folder, 'small')), '/dev/zero', '/dev/null'];
  for (const file of hostile) assert.equal(readSmallFile(file), null, file);
  const good = join(folder, 'good');
  writeFileSync(good, '17 4\n');
  assert.equal(readSmallFile(good), '17 4\n');
  assert.throws(() => readSmallFile(join(folder, 'none')), /ENOENT/);
});

test('what stands in the place of a lock is none, and is not waited for', { skip }, () => {
  for (const file of placeHostile(join(folder, 'locks'))) {
    assert.deepEqual(lockHolder(file), { pid: null, isLock: false }, file);
    assert.throws(() => requireIsLock(file), /is not a lock of h2h3/, file);
  }
});

test('a file of a cache is no link and has a bound', { skip }, () => {
  const kept = placeHostile(join(folder, 'kept')).filter((file) => !file.endsWith('far-too-long'));
  for (const file of kept)
    assert.throws(() => readKept(file, 'a thing'), /cannot be read as a thing: it is/, file);
  assert.equal(readKept(join(folder, 'no-such'), 'a thing'), null);
});

test('an input is bounded by what is read, not by what it says of itself', { skip }, () => {
  assert.throws(() => readInput('/dev/zero'), /it is no regular file/);
  // Says that it has no bytes, and has thousands.
  assert.ok(readInput('/proc/self/status').length > 500);
  assert.throws(
    () => readInput('/proc/self/status', { limitBytes: 100 }),
    /more than 100 bytes, more than 100 is not taken/,
  );
  const grown = join(folder, 'grown');
  writeFileSync(grown, 'a'.repeat(1000));
  assert.equal(readInput(grown, { limitBytes: 1000 }).length, 1000);
  appendFileSync(grown, 'b');
  assert.throws(() => readInput(grown, { limitBytes: 1000 }), /it has 1001 bytes/);
  assert.equal(openRegularFile(join(folder, 'locks', 'pipe')), null);
});

test('no line is appended to a named pipe, which would be waited for when it is full', { skip }, () => {
  const pipe = join(folder, 'journal');
  execFileSync('mkfifo', [pipe]);
  assert.throws(() => appendLine(pipe, 'line'), /cannot write .*journal: it is a named pipe/);
});

test('lines are read one by one, whatever ends them, and no longer one than a line of ours can be', () => {
  const file = join(folder, 'lines');
  const long = 'é'.repeat(100_000);
  writeFileSync(file, `a\r\n\n${long}\nlast`);
  assert.deepEqual([...readLines(file)], ['a', '', long, 'last']);
  writeFileSync(file, 'x'.repeat(1 << 21));
  assert.throws(() => [...readLines(file, { what: 'users' })], {
    code: 'bad-input',
    message: /cannot be read as users: it has a line of \d+ characters, more than 1048576/,
  });
  assert.throws(() => [...readLines(join(folder, 'none'))], { code: 'bad-input', message: /does not exist/ });
  assert.throws(() => [...readLines(folder)], { code: 'bad-input', message: /is a folder/ });
});
