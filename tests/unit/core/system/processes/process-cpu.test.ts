import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuBetween, inNanoseconds } from '../../../../../src/core/system/processes/process-cpu.ts';
import { chromiumProcessRole } from '../../../../../harness/clients/browsers/process-role.ts';
import type { ProcessRow } from '../../../../../src/core/system/processes/process-table.ts';

function row(pid: number, times: readonly number[], commandLine = 'browser'): ProcessRow {
  const [userSeconds = 0, systemSeconds = 0, endedUser = 0, endedSystem = 0] = times;
  return {
    pid,
    parentPid: 1,
    groupId: 1,
    commandLine,
    zombie: false,
    userSeconds,
    systemSeconds,
    endedChildrenUserSeconds: endedUser,
    endedChildrenSystemSeconds: endedSystem,
  };
}

const roleOf = (commandLine: string | null): string =>
  commandLine === null ? 'ended' : chromiumProcessRole(commandLine);

const snapshot = (...rows: ProcessRow[]): Map<number, ProcessRow> =>
  new Map(rows.map((each) => [each.pid, each]));

test('each process counts what it used between the snapshots, new ones whole', () => {
  const before = snapshot(row(1, [1, 0.5]));
  const after = snapshot(row(1, [1.7, 0.6]), row(2, [0.3, 0.1], 'browser --type=renderer'));
  assert.deepEqual(cpuBetween(before, after, roleOf), [
    { pid: 1, role: 'browser', userSeconds: 0.7, systemSeconds: 0.1 },
    { pid: 2, role: 'renderer', userSeconds: 0.3, systemSeconds: 0.1 },
  ]);
});

test('what an ended process used after the first snapshot is not lost, what it used before is not counted', () => {
  // Process 2 had used 0.4 s before, used 0.6 s more, and ended: its parent then accounts for all of 1.0 s.
  const before = snapshot(row(1, [1, 0]), row(2, [0.4, 0]));
  const after = snapshot(row(1, [1, 0, 1, 0]));
  assert.deepEqual(cpuBetween(before, after, roleOf).at(-1), {
    pid: 0,
    role: 'ended',
    userSeconds: 0.6,
    systemSeconds: 0,
  });
});

test('times are those of the threads to the nanosecond, unless one of them has ended', () => {
  const process = row(1, [0.31, 0.1]);
  const total = ({ userSeconds, systemSeconds }: ProcessRow): number => userSeconds + systemSeconds;
  assert.ok(Math.abs(total(inNanoseconds(process, 0.4234)) - 0.4234) < 1e-9);
  assert.ok(inNanoseconds(process, 0.4234).userSeconds > 3 * inNanoseconds(process, 0.4234).systemSeconds);
  // Threads that ended had used more than what is cut off.
  assert.equal(inNanoseconds(process, 0.2), process);
  assert.equal(inNanoseconds(process, 0.6), process);
  assert.equal(inNanoseconds(process, null), process);
});
