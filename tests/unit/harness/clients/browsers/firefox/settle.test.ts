import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeCpuSeconds, untilSettled } from '../../../../../../harness/clients/browsers/firefox/settle.ts';

/** CPU seconds as samples show them, one after the other; the last stays. */
function samples(...seconds: readonly number[]): {
  readonly read: () => number;
  readonly taken: () => number;
} {
  let index = 0;
  return { read: () => seconds[Math.min(index++, seconds.length - 1)] ?? 0, taken: () => index };
}

test('a browser has settled when three samples in a row show next to no CPU time', async () => {
  const cpu = samples(1, 1.2, 1.21, 1.4, 1.41, 1.41, 1.42);
  assert.equal(await untilSettled(cpu.read, 60_000), true);
  assert.equal(cpu.taken(), 7);
});

test('one that does not rest is given up at the limit', async () => {
  let seconds = 0;
  assert.equal(await untilSettled(() => (seconds += 0.05), 300), false);
});

test('the CPU time of a tree of processes is never less than before', () => {
  const before = treeCpuSeconds(process.pid);
  for (let index = 0; index < 3e7; index++) Math.sqrt(index);
  assert.ok(before > 0 && treeCpuSeconds(process.pid) >= before);
});
