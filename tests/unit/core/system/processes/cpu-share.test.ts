import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import { cpuControllers } from '../../../../../src/core/system/processes/cpu-controllers.ts';
import { CpuShare } from '../../../../../src/core/system/processes/cpu-share.ts';
import { processTree, readProcessTable } from '../../../../../src/core/system/processes/process-table.ts';
import { goneLimitMs, waitUntil } from '../../../../support/processes.ts';

/** A share, or null and the reason printed where this machine gives none. */
async function shareOf(t: TestContext, percent: number, name: string): Promise<CpuShare | null> {
  try {
    const share = await CpuShare.open({ percent, name, adminPrefix: [] });
    t.after(() => share.stop());
    return share;
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
    t.skip(`${thrown.message}: ${thrown.context.got}`);
    return null;
  }
}

/** A shell with another below it, both of which take all the CPU that they get. */
function busy(t: TestContext): ChildProcess {
  const child = spawn('sh', ['-c', 'while :; do :; done & while :; do :; done'], { detached: true });
  t.after(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
  return child;
}

function cpuSeconds(rootPid: number): number {
  return processTree(readProcessTable(), rootPid).reduce(
    (sum, { userSeconds, systemSeconds }) => sum + userSeconds + systemSeconds,
    0,
  );
}

test('processes held to a share get no more than it together, those born before and after', async (t) => {
  // Ended before the share, which ends when its group is empty.
  const { pid = 0 } = busy(t);
  const share = await shareOf(t, 20, `test-${process.pid}`);
  if (share === null) return;
  assert.deepEqual([share.quota.quotaMs, share.quota.periodMs], [4, 20]);
  while (processTree(readProcessTable(), pid).length < 2) await sleep(10);
  assert.equal(await share.hold(pid), 2);
  // The clock is read before and after, so that a machine that lets this process wait in between changes nothing.
  const before = { ms: performance.now(), seconds: cpuSeconds(pid), throttledMs: share.throttledMs() };
  await sleep(1000);
  const tookSeconds = cpuSeconds(pid) - before.seconds;
  const passedSeconds = (performance.now() - before.ms) / 1000;
  // CPU time is counted in hundredths of a second, by process; a period may be begun.
  assert.ok(tookSeconds <= 0.2 * passedSeconds + 0.06, `${tookSeconds} s of CPU in ${passedSeconds} s`);
  // Where others keep the CPUs busy it takes a while until they get as much as they may have.
  await waitUntil('they want more', 60_000, () => share.throttledMs() > before.throttledMs);
});

test('the control group is gone after its end, and when its maker is killed', async (t) => {
  const name = `gone-${process.pid}`;
  const share = await shareOf(t, 50, name);
  if (share === null) return;
  const directories = cpuControllers().map(({ directory }) => join(directory, `h2h3-${name}-50`));
  const there = (): string[] => directories.filter((directory) => existsSync(directory));
  assert.equal(there().length, 1);
  await share.stop();
  assert.deepEqual(there(), []);

  const module = join(import.meta.dirname, '../../../../../src/core/system/processes/cpu-share.ts');
  const code = `const { CpuShare } = await import(${JSON.stringify(module)});
    await CpuShare.open({ percent: 50, name: ${JSON.stringify(name)}, adminPrefix: [] });
    console.log('open'); setInterval(() => {}, 1000);`;
  const maker = spawn(process.execPath, ['--input-type=module', '-e', code]);
  await once(maker.stdout, 'data');
  assert.equal(there().length, 1);
  maker.kill('SIGKILL');
  await waitUntil('the group is gone', goneLimitMs, () => there().length === 0);
});
