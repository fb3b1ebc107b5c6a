import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aaPlans,
  aaWords,
  compareWithItself,
  judgeAa,
  type AaPlan,
} from '../../../../src/app/run/aa-of-host.ts';
import type { PlannedTrial } from '../../../../src/core/model/plan.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { silent } from '../../../support/silent-progress.ts';

const { plan, records } = generateRun({
  workloads: [
    { id: 'long', kind: 'page' },
    { id: 'short', kind: 'page' },
  ],
});
const expectedMs = ({ workload }: { readonly workload: string }): number =>
  workload === 'short' ? 1_000 : 9_000;
const [asked, other] = aaPlans(plan, expectedMs) as [AaPlan, AaPlan];

/** What came of the trials, each with its value. */
function recordsWith(valueOf: (index: number) => number, { trials }: AaPlan = asked): TrialRecord[] {
  const [like] = records as [TrialRecord];
  return trials.map((trial, index) => ({ ...like, ...trial, metrics: { pltMs: valueOf(index) } }));
}

test('a host compares the baseline arm with itself in the shortest condition, fewer times where a trial is long', () => {
  assert.equal(asked.trials.length, 12);
  assert.equal(asked.metric, 'pltMs');
  for (const { workload, arm } of asked.trials)
    assert.deepEqual([workload, arm], ['short', plan.arms[0]?.label]);
  assert.equal(other.trials[0]?.workload, 'long');
  assert.equal(aaPlans(plan, () => 30_000)[0]?.trials.length, 8);
});

test('a part of a plan that has not its first block is compared too', () => {
  const later = { ...plan, trials: plan.trials.filter(({ blockIndex }) => blockIndex > 0) };
  assert.deepEqual(
    aaPlans(later, expectedMs).map(({ trials }) => [trials[0]?.workload, trials.length]),
    [asked, other].map(({ trials }) => [trials[0]?.workload, trials.length]),
  );
});

test('a host that finds no difference is fit, and what it found is kept', () => {
  const aa = judgeAa(
    asked,
    recordsWith((index) => 500 + ((index * 7) % 5)),
  );
  assert.equal(aa.blocks, 6);
  assert.ok(Math.abs((aa.ratio ?? 0) - 1) < 0.02);
  assert.match(aaWords(aa), /^pltMs [+-][\d.]+ % \(-[\d.]+ % to \+[\d.]+ %\) in 6 blocks$/);
});

test('a drift that makes every later trial slower is no difference, for the order changes', () => {
  assert.equal(
    judgeAa(
      asked,
      recordsWith((index) => 500 + 2 * index),
    ).blocks,
    6,
  );
});

test('a host that finds a difference where there is none is refused', () => {
  // Every other trial of an arm is slow: the two names of one arm differ, whichever comes first.
  const slow = (index: number): boolean =>
    Math.floor(index / 2) % 2 === 0 ? index % 2 === 1 : index % 2 === 0;
  const slower = recordsWith((index) => (slow(index) ? 700 : 500) + (index % 3));
  assert.throws(
    () => judgeAa(asked, slower),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'bad-input' &&
      /finds a difference between h2 and itself: pltMs \+40 %/.test(error.message),
  );
});

test('a host whose trials fail is refused with the reason', () => {
  const failed = recordsWith(() => 500).map((record, index) =>
    index < 6 ? { ...record, status: 'failed' as const, reason: 'no such browser', metrics: {} } : record,
  );
  assert.throws(
    () => judgeAa(asked, failed),
    /3 of 6 blocks of its A\/A are valid, such as: no such browser/,
  );
});

test('a condition that this host cannot measure is passed over, and a host that can measure none is not judged', async () => {
  const [like] = records as [TrialRecord];
  const measured: string[] = [];
  const runner =
    (supported: string) =>
    (trial: PlannedTrial): Promise<TrialRecord> => {
      measured.push(trial.workload);
      const status = trial.workload === supported ? ('ok' as const) : ('unsupported' as const);
      return Promise.resolve({ ...like, ...trial, status, metrics: { pltMs: 500 + (measured.length % 3) } });
    };
  const aa = await compareWithItself(plan, expectedMs, silent, runner('long'));
  assert.equal(aa?.workload, 'long');
  assert.deepEqual(measured.slice(0, 3), ['short', 'long', 'long']);
  assert.equal(await compareWithItself(plan, expectedMs, silent, runner('neither')), null);
});
