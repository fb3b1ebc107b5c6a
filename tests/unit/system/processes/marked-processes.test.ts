import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { killMarkedProcesses } from '../../../../src/system/processes/marked-processes.ts';
import { runEnvironment, startReaper } from '../../../../src/system/processes/start-reaper.ts';

const sleeper = ['-e', 'setTimeout(() => {}, 60000)'];

test('processes with the marker end, in whatever session, and others live', async (t) => {
  const start = (value: string, detached: boolean): ReturnType<typeof spawn> =>
    spawn(process.execPath, sleeper, {
      env: { ...process.env, H2H3_TEST_MARK: value },
      stdio: 'ignore',
      detached,
    });
  const mine = [start('one', false), start('one', true)];
  const other = start('one-more', true);
  t.after(() => other.kill('SIGKILL'));
  const ended = Promise.all(mine.map((child) => once(child, 'exit')));
  await killMarkedProcesses('H2H3_TEST_MARK', 'one');
  await ended;
  assert.equal(other.exitCode ?? other.signalCode, null);
});

test('the reaper ends what is left of a run and removes its folder', async () => {
  const runId = `test-${process.pid}-${Date.now()}`;
  const folder = mkdtempSync(join(tmpdir(), 'h2h3-reaper-'));
  const reaper = startReaper(runId);
  reaper.removeAtEnd(folder);
  const orphan = spawn(process.execPath, sleeper, {
    env: { ...process.env, ...runEnvironment(runId) },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(orphan, 'exit');
  await reaper.finish();
  await ended;
  assert.equal(orphan.signalCode, 'SIGKILL');
  assert.ok(!existsSync(folder));
});
