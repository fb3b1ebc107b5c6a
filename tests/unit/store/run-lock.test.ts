import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { lockRunDirectory } from '../../../src/store/run-lock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Above the largest process id that Linux gives. */
const deadPid = 2 ** 22 + 1;
const sourceDir = join(import.meta.dirname, '../../../src');

test('the locks that killed processes left, one over another, are all taken over at the first try', (t) => {
  const folder = tempFolder(t);
  for (const name of ['run.lock', 'run.lock.removing', 'run.lock.removing.removing'])
    writeFileSync(join(folder, name), String(deadPid));
  const release = lockRunDirectory(folder, process.pid);
  assert.deepEqual(readdirSync(folder), ['run.lock']);
  release();
  assert.deepEqual(readdirSync(folder), []);
});

test('one process cannot run twice in one directory', (t) => {
  const folder = tempFolder(t);
  const release = lockRunDirectory(folder, process.pid);
  assert.throws(
    () => lockRunDirectory(folder, process.pid),
    (thrown) => thrown instanceof H2h3Error && /already running/.test(thrown.message),
  );
  release();
  lockRunDirectory(folder, process.pid)();
});

test('a lock that names this process and is not of it is of an earlier one of that number', (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'run.lock'), String(process.pid));
  lockRunDirectory(folder, process.pid)();
  assert.deepEqual(readdirSync(folder), []);
});

test('who releases leaves the lock of another run that was made in its place', (t) => {
  const folder = tempFolder(t);
  const release = lockRunDirectory(folder, process.pid);
  writeFileSync(join(folder, 'other'), String(process.ppid));
  renameSync(join(folder, 'other'), join(folder, 'run.lock'));
  release();
  assert.deepEqual(readdirSync(folder), ['run.lock']);
});

/**
 * Takes the lock again and again, holds a folder while it has it, and mostly leaves the lock, and every second time
 * one for removing it, as a killed process would. Every removal comes late, so that others get between it and the look
 * before it. Prints how often it had the lock and how often not alone.
 */
const contender = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
const { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } = fs;
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 2);
fs.rmSync = (...args) => (pause(), rmSync(...args));
syncBuiltinESMExports();
const { lockRunDirectory } = await import(${JSON.stringify(join(sourceDir, 'store/run-lock.ts'))});
const { makeLock } = await import(${JSON.stringify(join(sourceDir, 'core/system/lock-file.ts'))});
const [folder, rounds] = process.argv.slice(1);
const [lock, held, mine] = ['run.lock', 'held', 'mine-' + process.pid].map((name) => join(folder, name));
const endMs = performance.now() + 300_000;
let had = 0;
let notAlone = 0;
while (had < Number(rounds) && performance.now() < endMs) {
  let release;
  try {
    release = lockRunDirectory(folder, process.pid);
  } catch (thrown) {
    if (thrown.code !== 'usage') throw thrown;
    await sleep(1);
    continue;
  }
  had++;
  try {
    mkdirSync(held);
    rmdirSync(held);
  } catch {
    notAlone++;
  }
  if (had % 4 === 0) release();
  else {
    if (had % 2 === 0) makeLock(lock + '.removing', '${deadPid}');
    writeFileSync(mine, '${deadPid}');
    renameSync(mine, lock);
  }
}
console.log(JSON.stringify({ had, notAlone }));
`;

test('of many processes that take over abandoned locks, one at a time has the directory, and each gets its turn', async (t) => {
  const folder = tempFolder(t);
  const rounds = 30;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', contender];
  const results = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const child = spawn(process.execPath, [...args, folder, String(rounds)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      return JSON.parse(await text(child.stdout)) as unknown;
    }),
  );
  assert.deepEqual(
    results,
    Array.from({ length: 5 }, () => ({ had: rounds, notAlone: 0 })),
  );
});
