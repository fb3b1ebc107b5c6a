import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { workerMarkerVariable } from '../../../../../src/core/system/processes/marked-processes.ts';
import { killIfThere, processesWith, startLimitMs, waitUntil } from '../../../../support/processes.ts';

const module = JSON.stringify(
  new URL('../../../../../src/core/system/processes/kill-tree.ts', import.meta.url).pathname,
);

test('what left its parents and its session is gone when everything a worker started has been killed', async (t) => {
  const mark = randomUUID();
  const sleeper = `setTimeout(() => {}, 60000) // ${mark}`;
  const leaver = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}],
    { detached: true, stdio: 'ignore' }).unref()`;
  const worker = spawn(
    process.execPath,
    [
      '-e',
      `const { spawn } = require('node:child_process');
       spawn(process.execPath, ['-e', ${JSON.stringify(leaver)}]);
       spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}]);
       process.stdin.once('data', async () => {
         (await import(${module})).killDescendants();
         process.exit(0);
       });`,
    ],
    { env: { ...process.env, [workerMarkerVariable]: mark }, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const sleepers = () => processesWith(mark).filter(({ commandLine }) => / -e setTimeout/.test(commandLine));
  t.after(() => {
    worker.kill('SIGKILL');
    sleepers().forEach(({ pid }) => killIfThere(pid));
  });
  await waitUntil('both sleep, and what started one of them has ended', startLimitMs, () => {
    const below = processesWith(mark).filter(({ pid }) => pid !== worker.pid);
    return sleepers().length === 2 && below.length === 2;
  });
  const ended = once(worker, 'exit');
  worker.stdin.write('now');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(sleepers(), []);
});
