import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { contextSwitches, switchesBetween } from '../../../../harness/probes/context-switches.ts';
import type { ProbeContext } from '../../../../harness/probes/probe.ts';
import { waitUntil } from '../../../support/processes.ts';

const status = (voluntary: number, nonvoluntary: number): string =>
  `Name:\tcurl\nvoluntary_ctxt_switches:\t${voluntary}\nnonvoluntary_ctxt_switches:\t${nonvoluntary}\n`;

test('switches are those that the threads of the end have had since the beginning', () => {
  const before = new Map([
    ['1', status(10, 2)],
    ['2', status(500, 500)],
  ]);
  const after = new Map([
    ['1', status(15, 3)],
    ['3', status(4, 1)],
  ]);
  assert.deepEqual(switchesBetween(before, after), { contextSwitches: 11, involuntaryContextSwitches: 2 });
  assert.deepEqual(switchesBetween(new Map(), new Map([['1', 'Name:\tgone']])), {
    contextSwitches: 0,
    involuntaryContextSwitches: 0,
  });
});

test('a process that waits for its input again and again is counted, without perf', async (t) => {
  const child = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const session = await contextSwitches.setup({ rootPid: child.pid ?? assert.fail() } as ProbeContext);
  await session.start?.();
  const rounds = 20;
  let answered = 0;
  child.stdout.on('data', () => answered++);
  for (let round = 1; round <= rounds; round++) {
    child.stdin.write('x');
    await waitUntil('cat has answered', 60_000, () => answered >= round);
  }
  await session.stop?.();
  const { counters = {} } = await session.teardown({ buildHar: null, frames: null, clean: (value) => value });
  // The last round's wait may not have begun when it is read.
  assert.ok((counters['contextSwitches'] ?? 0) >= rounds - 1, JSON.stringify(counters));
});
