import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { endWithInput, isRunning } from '../../../../harness/network/held-child.ts';

test('a process that lives as long as its input ends with it, and one that does not heed it is killed', async () => {
  const heeding = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  assert.ok(isRunning(heeding));
  await endWithInput(heeding);
  assert.equal(heeding.exitCode, 0);
  assert.equal(isRunning(heeding), false);
  await endWithInput(heeding);
  const deaf = spawn('sleep', ['60'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await endWithInput(deaf, 50);
  assert.equal(deaf.signalCode, 'SIGKILL');
});
