import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';

const supportDir = join(import.meta.dirname, '../support');
/** A test that starts a program and is killed before it ends. */
const killedTest = `
import { spawn } from 'node:child_process';
import { tempFolder } from ${JSON.stringify(join(supportDir, 'temp-folder.ts'))};
import { testEnvironment } from ${JSON.stringify(join(supportDir, 'test-scope.ts'))};
const folder = tempFolder({ after: () => undefined });
const env = { ...process.env, ...testEnvironment() };
const { pid } = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { env, stdio: 'ignore', detached: true });
console.log(JSON.stringify({ folder, pid }));
`;

const runs = (pid: number): boolean => readProcessTable().some((row) => row.pid === pid && !row.zombie);

const skip = process.platform === 'win32' ? 'processes are not found by their environment there' : false;

test('what a test started goes with it when it is killed, and so does its folder', { skip }, async (t) => {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', killedTest];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { folder, pid } = JSON.parse(line) as { folder: string; pid: number };
  assert.ok(existsSync(folder) && runs(pid));
  child.kill('SIGKILL');
  await waitUntil('both are gone', goneLimitMs, () => !existsSync(folder) && !runs(pid));
});
