import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { startPerf } from '../../../../harness/probes/perf-control.ts';
import { cpuBetween, cpuSnapshot } from '../../../../src/core/system/processes/process-cpu.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

/** Of what has ended the system counts two times in ticks of 10 ms: a hundredth of all this. */
const burnMs = 500;

/** Uses CPU time in its first thread, in a second one that stays, and in a process that ends, when told to. */
const worker = `
const { spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');
const burn = (ms) => { const end = process.threadCpuUsage().user + ms * 1000; while (process.threadCpuUsage().user < end); };
const second = new Worker(
  "const { parentPort } = require('node:worker_threads'); const burn = " + burn + ";" +
    "parentPort.on('message', () => { burn(${burnMs}); parentPort.postMessage('done'); });",
  { eval: true },
);
second.on('online', () => console.log('ready'));
second.on('message', () => console.log('done'));
process.stdin.once('data', () => {
  burn(${burnMs});
  spawnSync(process.execPath, ['-e', 'const burn = ' + burn + '; burn(${burnMs})']);
  second.postMessage('go');
});
process.stdin.on('end', () => process.exit());
`;

/** Linux counts CPU time for programs in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU time that interrupts and the hypervisor have taken of the machine so far. */
function takenSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [, , , , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (irq + softirq + steal) / ticksPerSecond;
}

interface Measured {
  readonly seconds: number;
  /** By perf, whose clock goes on while an interrupt or the hypervisor has the CPU: no time of the process. */
  readonly countedSeconds: number;
  /** What those two took of the machine meanwhile: the system does not say from whom, so it may all be time of the process. */
  readonly takenSeconds: number;
}

async function measured(t: TestContext): Promise<Measured> {
  const child = spawn(process.execPath, ['-e', worker], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const { pid } = child;
  assert.ok(pid !== undefined);
  await once(child.stdout, 'data');
  const perf = await startPerf(['stat', '-x', ';', '-p', String(pid), '-e', 'task-clock']);
  await perf.enable();
  const takenBefore = takenSeconds();
  const before = cpuSnapshot(pid);
  child.stdin.write('go\n');
  await once(child.stdout, 'data');
  const after = cpuSnapshot(pid);
  const taken = takenSeconds() - takenBefore;
  const said = await perf.end();
  child.stdin.end();
  const seconds = cpuBetween(before, after, () => 'all').reduce(
    (sum, { userSeconds, systemSeconds }) => sum + userSeconds + systemSeconds,
    0,
  );
  const countedSeconds = Number(/^([\d.]+);msec;task-clock/m.exec(said)?.[1]) / 1000;
  assert.ok(countedSeconds > 0.3, said);
  return { seconds, countedSeconds, takenSeconds: taken };
}

test('CPU seconds are those that perf counts of the same processes, within 2 %', async (t) => {
  let found: Measured;
  try {
    found = await measured(t);
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    t.skip(thrown.message);
    return;
  }
  const { seconds, countedSeconds } = found;
  assert.ok(countedSeconds > 0.98 * seconds, JSON.stringify(found));
  assert.ok(countedSeconds - found.takenSeconds < 1.02 * seconds, JSON.stringify(found));
});
