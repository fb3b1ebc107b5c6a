import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { networkingProcess } from '../../../../harness/probes/activity.ts';

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
