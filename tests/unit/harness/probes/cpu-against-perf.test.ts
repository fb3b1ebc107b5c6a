import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { startPerf } from '../../../../harness/probes/perf-control.ts';
import { cpuBetween, cpuSnapshot } from '../../../../harness/probes/process-cpu.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';

/** Uses CPU time in its first thread, in a second one that stays, and in a process that ends, when told to. */
const worker = `
const { spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');
const burn = (ms) => { const end = process.threadCpuUsage().user + ms * 1000; while (process.threadCpuUsage().user < end); };
const second = new Worker(
  "const { parentPort } = require('node:worker_threads'); const burn = " + burn + ";" +
    "parentPort.on('message', () => { burn(120); parentPort.postMessage('done'); });",
  { eval: true },
);
second.on('online', () => console.log('ready'));
second.on('message', () => console.log('done'));
process.stdin.once('data', () => {
  burn(120);
  spawnSync(process.execPath, ['-e', 'const burn = ' + burn + '; burn(120)']);
  second.postMessage('go');
});
process.stdin.on('end', () => process.exit());
`;

/** perf's clock goes on while an interrupt or the hypervisor has the CPU, which is no time of the process: the least of some tries. */
const tries = 3;

async function deviation(t: TestContext): Promise<number> {
  const child = spawn(process.execPath, ['-e', worker], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const { pid } = child;
  assert.ok(pid !== undefined);
  await once(child.stdout, 'data');
  const perf = await startPerf(['stat', '-x', ';', '-p', String(pid), '-e', 'task-clock']);
  await perf.enable();
  const before = cpuSnapshot(pid);
  child.stdin.write('go\n');
  await once(child.stdout, 'data');
  const after = cpuSnapshot(pid);
  const said = await perf.end();
  child.stdin.end();
  const seconds = cpuBetween(before, after, () => 'all').reduce(
    (sum, { userSeconds, systemSeconds }) => sum + userSeconds + systemSeconds,
    0,
  );
  const counted = Number(/^([\d.]+);msec;task-clock/m.exec(said)?.[1]) / 1000;
  assert.ok(counted > 0.3, said);
  return Math.abs(seconds / counted - 1);
}

test('CPU seconds are those that perf counts of the same processes, within 2 %', async (t) => {
  const deviations: number[] = [];
  try {
    while (deviations.length < tries && !deviations.some((one) => one < 0.02))
      deviations.push(await deviation(t));
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    t.skip(thrown.message);
    return;
  }
  assert.ok(Math.min(...deviations) < 0.02, `apart by ${deviations.join(', ')}`);
});
