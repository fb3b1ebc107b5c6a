import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilIdle } from '../../../../src/core/system/processes/idle.ts';

const rule = { intervalMs: 5, intervals: 3, limitMs: 60_000 } as const;

/** CPU seconds as readings show them, one after the other; the last stays. */
function readings(...seconds: readonly number[]): {
  readonly read: () => number;
  readonly taken: () => number;
} {
  let index = 0;
  return { read: () => seconds[Math.min(index++, seconds.length - 1)] ?? 0, taken: () => index };
}

test('processes are idle when three intervals in a row show next to no CPU time', async () => {
  const cpu = readings(1, 1.2, 1.21, 1.4, 1.41, 1.41, 1.42);
  assert.equal(await untilIdle(cpu.read, rule), true);
  assert.equal(cpu.taken(), 7);
});

test('one that does not rest is given up at the limit', async () => {
  let seconds = 0;
  assert.equal(await untilIdle(() => (seconds += 0.05), { ...rule, limitMs: 100 }), false);
});

test('rest that came before it was asked for counts, and what began to work since does not', async () => {
  let seconds = 1;
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  let ended = false;
  const idle = untilIdle(() => seconds, rule, asked).then((result) => ((ended = true), result));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(ended, false, 'not before it is asked for');
  seconds += 1;
  ask();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ended, false, 'there was work since');
  assert.equal(await idle, true);
});
