import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { intervalsOf, networkingProcess } from '../../../../harness/probes/activity.ts';

const roleOf = (commandLine: string | null): string =>
  commandLine === null ? 'ended' : commandLine.startsWith('/bin/sh') ? 'launcher' : 'network';

test('a program that waits behind a shell is found when it has started, and a client that is its own first process at once', async (t) => {
  const shell = spawn('/bin/sh', ['-c', 'read go; sleep 60; true'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const rootPid = shell.pid ?? assert.fail();
  let child: number | undefined;
  t.after(() => {
    if (child !== undefined) process.kill(child);
    shell.kill('SIGKILL');
  });
  await once(shell, 'spawn');
  const found = networkingProcess({ rootPid, processRole: roleOf });
  assert.deepEqual(found(), []);
  shell.stdin.end('go\n');
  while (child === undefined) {
    await sleep(10);
    [child] = found();
  }
  assert.notEqual(child, rootPid);
  assert.deepEqual(found(), [child]);
  assert.deepEqual(networkingProcess({ rootPid, processRole: () => 'browser' })(), [rootPid]);
});

/** A reading after so many ms, with the ms that the client's one thread ran and that a quota withheld so far. */
const reading = (
  epochMs: number,
  ranMs: number,
  withheldMs: number,
): Parameters<typeof intervalsOf>[0][number] => ({
  epochMs,
  receiver: new Map([['7', `${ranMs * 1e6} 0 1`]]),
  quotas: [
    'nr_periods 9\nnr_throttled 9\nthrottled_time 0\n',
    `nr_periods 9\nthrottled_time ${withheldMs * 1e6}\n`,
  ],
  sender: new Map(),
  interfaces: '',
});

test('what a quota withholds is told beside what ran; time that is counted late belongs to the interval before', () => {
  const samples = [reading(0, 0, 5), reading(100, 5, 81), reading(200, 10, 195), reading(300, 40, 195)];
  assert.deepEqual(
    intervalsOf(samples, 'eth0', 1).map(({ receiver, receiverWithheld }) => [receiver, receiverWithheld]),
    [
      [0.05, 0.95],
      [0.05, 0.95],
      [0.3, 0],
    ],
  );
});

test('several CPUs that are withheld at once make no more than all of the time', () => {
  const [first, second] = intervalsOf(
    [reading(0, 0, 0), reading(100, 60, 0), reading(200, 70, 190)],
    'eth0',
    1,
  );
  assert.equal(second?.receiverWithheld, 0.9);
  assert.ok((first?.receiverWithheld ?? 1) <= 0.25, 'the rest of it is not moved about');
});
