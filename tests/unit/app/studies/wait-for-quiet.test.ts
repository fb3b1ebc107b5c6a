import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitForQuiet } from '../../../../src/app/studies/wait-for-quiet.ts';
import type { NoiseCheck } from '../../../../src/core/system/noise-checks.ts';

const load = (ok: boolean): NoiseCheck[] => [
  { check: 'load', ok, reason: 'other programs used 60 % of the CPUs' },
  { check: 'memory', ok: false, reason: 'full' },
];

function waiting(
  checks: readonly boolean[],
  limitMs: number,
): { said: string[]; quiet: Promise<boolean>; stop: AbortController } {
  const said: string[] = [];
  const stop = new AbortController();
  let index = 0;
  const quiet = waitForQuiet({
    limitMs,
    say: (line) => void said.push(line),
    signal: stop.signal,
    checkNoiseNow: () => Promise.resolve(load(checks[Math.min(index++, checks.length - 1)] ?? true)),
    everyMs: 1,
  });
  return { said, quiet, stop };
}

test('a quiet machine is not waited for, whatever else there is to say of it', async () => {
  const { said, quiet } = waiting([true], 1000);
  assert.equal(await quiet, true);
  assert.deepEqual(said, []);
});

test('a busy one is waited for, once said, until it is quiet', async () => {
  const { said, quiet } = waiting([false, false, true], 60_000);
  assert.equal(await quiet, true);
  assert.deepEqual(said, ['waiting up to 1 min for a quiet machine: other programs used 60 % of the CPUs']);
});

test('when the time is over it says so and goes on', async () => {
  const { said, quiet } = waiting([false], 20);
  assert.equal(await quiet, false);
  assert.match(said.at(-1) ?? '', /^not quiet after .*60 %.*marked\.$/);
});

test('no limit does not look, and a wait can be stopped', async () => {
  assert.equal(await waiting([false], 0).quiet, true);
  const { quiet, stop } = waiting([false], 60_000);
  stop.abort();
  await assert.rejects(quiet, { code: 'interrupted' });
});
