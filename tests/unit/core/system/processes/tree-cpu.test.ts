import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { processTree, readProcessTable } from '../../../../../src/core/system/processes/process-table.ts';
import { treeCpuReader, type ProcFolder } from '../../../../../src/core/system/processes/tree-cpu.ts';

interface Row {
  readonly parent: number;
  /** Of its own, in hundredths of a second. */
  readonly ticks?: number;
  /** Of its children that ended. */
  readonly ended?: number;
}

/** A folder that says so of these processes, and keeps whose `stat` was read since it was last asked. */
function folderOf(rows: Map<number, Row>): ProcFolder & { readonly read: () => number[] } {
  let read: number[] = [];
  return {
    names: () => [...rows.keys()].map(String),
    stat: (name) => {
      read.push(Number(name));
      const row = rows.get(Number(name));
      if (row === undefined) return undefined;
      const { parent, ticks = 0, ended = 0 } = row;
      return `${name} (a (name) of blanks) S ${parent} 1 1 0 -1 0 0 0 0 0 ${ticks} 0 ${ended} 0 20 0`;
    },
    read: () => {
      const now = read;
      read = [];
      return now;
    },
  };
}

test('the CPU time of a tree is that of all its processes and of those that ended, and what is outside is read once', () => {
  const rows = new Map<number, Row>([
    [1, { parent: 0, ticks: 900 }],
    [2, { parent: 1, ticks: 700 }],
    [10, { parent: 1, ticks: 100 }],
    [11, { parent: 10, ticks: 20, ended: 3 }],
  ]);
  const folder = folderOf(rows);
  const read = treeCpuReader(10, folder);
  const ticks = (): number => Math.round(100 * read());
  assert.equal(ticks(), 123);
  assert.deepEqual(folder.read(), [1, 2, 10, 11]);
  rows.set(11, { parent: 10, ticks: 25, ended: 3 });
  rows.set(12, { parent: 11, ticks: 1 });
  rows.set(13, { parent: 2, ticks: 500 });
  assert.equal(ticks(), 129);
  assert.deepEqual(folder.read(), [10, 11, 12, 13], 'those of the tree, and what is new');
  rows.delete(12);
  rows.set(11, { parent: 10, ticks: 25, ended: 4 });
  assert.equal(ticks(), 129);
  assert.deepEqual(folder.read(), [10, 11]);
});

test('a process of the tree that got the id of one outside is found soon', () => {
  const rows = new Map<number, Row>([
    [5, { parent: 1, ticks: 10 }],
    [10, { parent: 1, ticks: 100 }],
  ]);
  const seconds = treeCpuReader(10, folderOf(rows));
  assert.equal(seconds(), 1);
  rows.set(5, { parent: 10, ticks: 50 });
  const readings = Array.from({ length: 20 }, seconds);
  assert.deepEqual([readings[0], readings.at(-1)], [1, 1.5]);
});

test('without such a folder, and of this machine, it is what the table of processes says', () => {
  const ownTicks = (): number => {
    const [own] = processTree(readProcessTable(), process.pid);
    assert.ok(own !== undefined);
    return own.userSeconds + own.systemSeconds;
  };
  for (const seconds of [treeCpuReader(process.pid), treeCpuReader(process.pid, null)]) {
    const before = seconds();
    assert.ok(before > 0 && before >= ownTicks() - 0.05);
    execFileSync(process.execPath, ['--eval', '0']);
    assert.ok(seconds() > before, 'what a child took that has ended');
  }
});
