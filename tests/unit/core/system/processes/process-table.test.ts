import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { killTree } from '../../../../../src/core/system/processes/kill-tree.ts';
import {
  parsePs,
  parseStat,
  processTree,
  readProcessTable,
} from '../../../../../src/core/system/processes/process-table.ts';
import { waitUntil } from '../../../../support/processes.ts';

test('a line of /proc/PID/stat is read whatever the name of the program is', () => {
  const fields = '42 1 40 40 0 -1 4194304 100 0 0 0 150 25 310 7 20 0 1 0 100 1 1';
  const row = parseStat(42, `42 (a) b (c) S ${fields.slice(3)}`, 'prog\0--type=x\0');
  assert.equal(row.parentPid, 1);
  assert.equal(row.groupId, 40);
  assert.equal(row.commandLine, 'prog --type=x');
  assert.equal(row.zombie, false);
  assert.deepEqual(
    [row.userSeconds, row.systemSeconds, row.endedChildrenUserSeconds, row.endedChildrenSystemSeconds],
    [1.5, 0.25, 3.1, 0.07],
  );
});

test('the listing of ps on macOS gives user and system time', () => {
  const [row, other] = parsePs(
    '  501   1   501 S      1:02.50   1:03.25 /Applications/Browser --type=renderer\n  7 501 501 Z 0:00.00 1-02:00:00.00\n',
  );
  assert.deepEqual(
    [row?.pid, row?.parentPid, row?.groupId, row?.userSeconds, row?.systemSeconds, row?.commandLine],
    [501, 1, 501, 62.5, 0.75, '/Applications/Browser --type=renderer'],
  );
  assert.equal(other?.zombie, true);
  assert.equal(other?.systemSeconds, 93_600);
});

test('this process is in the table, with its parent', () => {
  const row = readProcessTable().find(({ pid }) => pid === process.pid);
  assert.equal(row?.parentPid, process.ppid);
  assert.ok((row?.userSeconds ?? 0) + (row?.systemSeconds ?? 0) >= 0);
});

test('a tree that is killed leaves no process, though one ignores polite signals', async () => {
  const root = spawn('sh', ['-c', "trap '' TERM; sleep 600 & sleep 600 & wait"], {
    detached: true,
    stdio: 'ignore',
  });
  const rootPid = root.pid ?? 0;
  await waitUntil('all three run', 60_000, () => processTree(readProcessTable(), rootPid).length === 3);
  assert.equal(await killTree(rootPid), true);
  const left = readProcessTable().filter(({ groupId, zombie }) => groupId === rootPid && !zombie);
  assert.deepEqual(left, []);
});
