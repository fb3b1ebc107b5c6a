import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { underLockLimit } from '../../../../../src/core/system/processes/lock-limit.ts';
import {
  endAbandonedRuns,
  killLimited,
  killRun,
  limitForCommand,
  markedProcesses,
  runMarkerVariable,
} from '../../../../../src/core/system/processes/marked-processes.ts';
import { runEnvironment, startReaper } from '../../../../../src/core/system/processes/start-reaper.ts';
import { goneLimitMs, processesWith, waitUntil } from '../../../../support/processes.ts';

const sleeper = ['-e', 'setTimeout(() => {}, 60000)'];

test('processes with the marker end, in whatever session, and others live', async (t) => {
  const start = (value: string, detached: boolean): ReturnType<typeof spawn> =>
    spawn(process.execPath, sleeper, {
      env: { ...process.env, ...runEnvironment(value) },
      stdio: 'ignore',
      detached,
    });
  const mine = [start(`one-${process.pid}`, false), start(`one-${process.pid}`, true)];
  const other = start(`one-${process.pid}-more`, true);
  t.after(() => other.kill('SIGKILL'));
  const ended = Promise.all(mine.map((child) => once(child, 'exit')));
  await killRun(`one-${process.pid}`);
  await ended;
  assert.equal(other.exitCode ?? other.signalCode, null);
});

test('what a run left that is gone is ended where nobody else does, and what belongs to a living one is not', async (t) => {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  const start = (value: string): ReturnType<typeof spawn> =>
    spawn(process.execPath, sleeper, {
      env: { ...process.env, H2H3_TEST_ABANDONED: value },
      stdio: 'ignore',
      detached: true,
    });
  const left = start(`${gone.pid}-left`);
  const living = start(`${process.pid}-mine`);
  const unnumbered = start('other');
  t.after(() => [living, unnumbered].forEach((child) => child.kill('SIGKILL')));
  const ended = once(left, 'exit');
  await endAbandonedRuns('H2H3_TEST_ABANDONED');
  await ended;
  for (const child of [living, unnumbered]) assert.equal(child.exitCode ?? child.signalCode, null);
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

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

test(
  'a reaper that is killed alone leaves neither folder nor process: another takes its place',
  { skip },
  async () => {
    const runId = `test-killed-${process.pid}-${Date.now()}`;
    const folder = mkdtempSync(join(tmpdir(), 'h2h3-reaper-'));
    const reaper = startReaper(runId);
    reaper.removeAtEnd(folder);
    for (let kill = 0; kill < 2; kill++) {
      await waitUntil('a reaper runs', goneLimitMs, () => reaperOf(runId) !== undefined);
      const pid = reaperOf(runId) ?? assert.fail();
      process.kill(pid, 'SIGKILL');
      await waitUntil(
        'another takes its place',
        goneLimitMs,
        () => ![undefined, pid].includes(reaperOf(runId)),
      );
    }
    const orphan = spawn(process.execPath, sleeper, {
      env: { ...process.env, ...runEnvironment(runId) },
      stdio: 'ignore',
      detached: true,
    });
    const ended = once(orphan, 'exit');
    await reaper.finish();
    await ended;
    assert.ok(!existsSync(folder));
    assert.equal(reaperOf(runId), undefined);
  },
);

/** Process id of the living reaper of a run (Linux). */
function reaperOf(runId: string): number | undefined {
  const marked = markedProcesses(runMarkerVariable, runId);
  return processesWith('reaper.ts').find(({ pid }) => marked.includes(pid))?.pid;
}

test(
  'what a program of the user left in another session without its environment is ended',
  { skip },
  async () => {
    const runId = `test-left-${process.pid}-${Date.now()}`;
    const mark = `left-${process.pid}`;
    const limit = limitForCommand(runEnvironment(runId));
    const leaver = `setsid env -i ${process.execPath} -e 'setTimeout(() => {}, 60000)' ${mark} & exit 0`;
    const [program = '', ...args] = underLockLimit(limit, ['/bin/sh', '-c', leaver]);
    const environment = { ...process.env, ...runEnvironment(runId) };
    for (const end of [() => killLimited(limit), () => killRun(runId)]) {
      await once(spawn(program, args, { env: environment, stdio: 'ignore', detached: true }), 'exit');
      await waitUntil('it runs', goneLimitMs, () => processesWith(mark).length > 0);
      const carriers = (): readonly unknown[] => markedProcesses(runMarkerVariable, runId);
      // The words stand in the command line of what starts it, too.
      await waitUntil('its environment is empty', goneLimitMs, () => carriers().length === 0);
      await end();
      assert.deepEqual(processesWith(mark), []);
    }
  },
);
