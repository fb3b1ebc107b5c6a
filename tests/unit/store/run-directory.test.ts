import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { createRunDirectory, openRunDirectory } from '../../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../../src/store/run-lock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { parseArms } from '../../../src/plan/arms.ts';

const plan: Plan = {
  schemaVersion: 1,
  name: 'test',
  seed: 1,
  command: 'h2h3 run test',
  arms: parseArms(['h2']),
  repetitions: 1,
  recordedBlocks: 0,
  exploratory: false,
  primary: { page: 'pltMs' },
  pooled: { page: true },
  margins: {},
  probes: ['har'],
  urls: [],
  workloads: [{ id: 'page-a', kind: 'page', title: 'a' }],
  conditions: [],
  trials: [],
};

function errorOf(action: () => unknown): H2h3Error {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown;
    throw thrown;
  }
  return assert.fail('nothing was thrown');
}

test('a run directory opens again with its plan and is the latest', (t) => {
  const results = tempFolder(t);
  createRunDirectory(join(results, 'one'), plan);
  createRunDirectory(join(results, 'two'), plan);
  assert.deepEqual(openRunDirectory(join(results, 'latest')).plan, plan);
  assert.equal(readlinkSync(join(results, 'latest')), 'two');
});

test('a folder that already holds a run is not overwritten', (t) => {
  const path = join(tempFolder(t), 'one');
  createRunDirectory(path, plan);
  assert.match(errorOf(() => createRunDirectory(path, plan)).message, /already holds a run/);
});

test('a trial folder asked for afresh is emptied of what a killed trial left', (t) => {
  const directory = createRunDirectory(join(tempFolder(t), 'one'), plan);
  const folder = directory.trialDir('x', { fresh: true });
  writeFileSync(join(folder, 'half'), '');
  assert.ok(!existsSync(join(directory.trialDir('x', { fresh: true }), 'half')));
});

test('a trial folder, or its pictures, that is a link to another place is refused: it is another’s', (t) => {
  const run = createRunDirectory(join(tempFolder(t), 'r'), plan);
  const other = tempFolder(t);
  mkdirSync(join(run.path, 'trials', 'b'), { recursive: true });
  symlinkSync(other, join(run.path, 'trials', 'a'));
  symlinkSync(other, join(run.path, 'trials', 'b', 'frames'));
  for (const id of ['a', 'b'])
    assert.throws(() => run.trialDir(id), /is a symbolic link, which no run makes/);
  assert.equal(run.trialDir('c'), join(run.path, 'trials', 'c'));
});

test('a folder without a plan, a damaged plan and a newer schema are each said in words', (t) => {
  const folder = tempFolder(t);
  assert.match(errorOf(() => openRunDirectory(folder)).message, /does not exist/);
  mkdirSync(join(folder, 'bad'));
  writeFileSync(join(folder, 'bad', 'plan.json'), '{');
  assert.match(errorOf(() => openRunDirectory(join(folder, 'bad'))).message, /is not JSON/);
  writeFileSync(join(folder, 'bad', 'plan.json'), JSON.stringify({ ...plan, schemaVersion: 2 }));
  assert.match(errorOf(() => openRunDirectory(join(folder, 'bad'))).message, /schema version 2/);
  // Of a folder of runs one is to be named.
  assert.match(errorOf(() => openRunDirectory(folder)).next ?? '', /^It holds runs: bad\. Name one/);
});

test('a folder that cannot be made is a storage error', (t) => {
  const file = join(tempFolder(t), 'file');
  writeFileSync(file, '');
  const { code, message } = errorOf(() => createRunDirectory(join(file, 'run'), plan));
  assert.equal(code, 'storage');
  assert.match(message, /a file is in the way/);
});

test('two living processes cannot run in one directory, and a dead one’s lock is taken over', (t) => {
  const folder = tempFolder(t);
  const release = lockRunDirectory(folder, process.ppid);
  assert.match(errorOf(() => lockRunDirectory(folder, process.pid)).message, /already running/);
  release();
  writeFileSync(join(folder, 'run.lock'), '4194304');
  lockRunDirectory(folder, process.pid)();
  assert.ok(!existsSync(join(folder, 'run.lock')));
  // After a restart of the machine the number may be another process's: this one lives, but began later.
  writeFileSync(join(folder, 'run.lock'), `${process.ppid} 1`);
  lockRunDirectory(folder, process.pid)();
});
