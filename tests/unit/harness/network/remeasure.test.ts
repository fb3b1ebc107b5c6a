import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remeasure } from '../../../../harness/network/remeasure.ts';
import type { PathCheck } from '../../../../harness/network/path-checks.ts';

const delay = (measured: number): PathCheck => ({
  direction: 'up',
  kind: 'one-way-delay',
  quantity: 'one-way delay',
  unit: 'ms',
  expected: 20,
  measured,
  tolerance: 0.5,
  ok: Math.abs(measured - 20) <= 0.5,
});
const order = (measured: number): PathCheck => ({
  direction: 'down',
  kind: 'overtaken',
  quantity: 'packets that arrived after a later one',
  unit: '%',
  expected: 0,
  measured,
  tolerance: 0,
  ok: measured === 0,
});

/** Gives these measurements one after the other, and counts how many were asked for. */
function measuring(rounds: readonly PathCheck[][]): {
  made: () => number;
  measure: () => Promise<PathCheck[]>;
} {
  let made = 0;
  const measure = (): Promise<PathCheck[]> => {
    const round = rounds[made];
    made += 1;
    return round ? Promise.resolve(round) : Promise.reject(new Error('one measurement too many'));
  };
  return { made: () => made, measure };
}

test('a path that is what it says is measured once', async () => {
  const { made, measure } = measuring([[delay(20.1), order(0)]]);
  assert.deepEqual(await remeasure('4g', measure), [delay(20.1), order(0)]);
  assert.equal(made(), 1);
});

test('one or two hiccups do not make a path wrong, and every figure is kept', async () => {
  const { made, measure } = measuring([
    [delay(20.57)],
    [delay(20.2)],
    [delay(20.6)],
    [delay(20.1)],
    [delay(20.3)],
  ]);
  const [check] = await remeasure('4g', measure);
  assert.equal(made(), 5);
  assert.deepEqual(check?.measurements, [20.57, 20.2, 20.6, 20.1, 20.3]);
  assert.deepEqual([check.measured, check.ok], [20.3, true]);
});

test('a look ends when nothing can change any more', async () => {
  const right = measuring([[delay(20.57)], [delay(20.2)], [delay(20.1)], [delay(20.3)]]);
  await remeasure('4g', right.measure);
  assert.equal(right.made(), 4);
  const wrong = measuring([[delay(22)], [delay(22.1)], [delay(21.9)]]);
  await assert.rejects(remeasure('4g', wrong.measure), { code: 'process-failed' });
  assert.equal(wrong.made(), 3);
});

test('quantities that fail in different looks are each decided by their own figures', async () => {
  const rounds = [
    [delay(21), order(0)],
    [delay(20), order(0.1)],
    [delay(20), order(0)],
    [delay(20), order(0)],
  ];
  const checks = await remeasure('4g', measuring(rounds).measure);
  assert.deepEqual(
    checks.map(({ ok, measured }) => [ok, measured]),
    [
      [true, 20],
      [true, 0],
    ],
  );
});

test('a path that scatters to both sides is wrong although its middle is right', async () => {
  const { measure } = measuring([[delay(17)], [delay(23)], [delay(20)], [delay(16)], [delay(24)]]);
  await assert.rejects(
    remeasure('4g', measure),
    /set 20\.00 ± 0\.50 ms, measured 17\.00, 23\.00, 20\.00, 16\.00 ms$/,
  );
});

/** Chance that a path passes one of whose quantities is within its tolerance with this chance. */
async function passes(chance: number): Promise<number> {
  let sum = 0;
  for (let looks = 0; looks < 32; looks += 1) {
    const rounds = Array.from({ length: 5 }, (_, index) => (looks >> index) % 2 === 1);
    const { measure } = measuring(rounds.map((ok) => [delay(ok ? 20 : 22)]));
    const passed = await remeasure('4g', measure).then(
      () => true,
      () => false,
    );
    const weight = rounds.reduce((product, ok) => product * (ok ? chance : 1 - chance), 1);
    if (passed) sum += weight;
  }
  return sum;
}

test('a wrong path passes more rarely than if a second look decided, and a right one more often', async () => {
  const withSecondLook = (chance: number): number => 1 - (1 - chance) ** 2;
  for (const wrong of [0.05, 0.2, 0.4, 0.49])
    assert.ok((await passes(wrong)) < withSecondLook(wrong), `${wrong}: ${await passes(wrong)}`);
  for (const right of [0.9, 0.95, 0.99])
    assert.ok((await passes(right)) > withSecondLook(right), `${right}: ${await passes(right)}`);
});
