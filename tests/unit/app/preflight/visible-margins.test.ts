import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrateMachine } from '../../../../src/analyse/calibrate/calibrate-machine.ts';
import { forecastPlan } from '../../../../src/analyse/forecast/plan-forecast.ts';
import { visibleMargins } from '../../../../src/app/preflight/visible-margins.ts';
import { calibrationOptions, calibrationRuns } from '../../../support/calibration-run.ts';

const runs = calibrationRuns(3, 1, 0.1);
const calibration = calibrateMachine(runs, { ...calibrationOptions, resamples: 50, power: false });
const [first] = runs;
assert.ok(first !== undefined);
const plan = { ...first.plan, exploratory: false };
const trialMs = 1000;
const blockMs = plan.trials.filter(({ blockIndex }) => blockIndex === 0).length * trialMs;
const limits = { machineClass: 'this one', calibration, strict: true, force: false };

const blockersOf = (
  margin: number,
  { budgetMs = undefined as number | undefined, exploratory = false, ...gate } = {},
): Promise<readonly { readonly reason: string; readonly next?: string | undefined }[]> => {
  const time = { pending: plan.trials, expectedTrialMs: () => trialMs, budgetMs };
  const asked = { ...plan, exploratory, margins: { ...plan.margins, pltMs: margin } };
  return Promise.resolve(visibleMargins.judge(asked, { time, gate: { ...limits, ...gate } }));
};

test('a gate for less than the blocks of its budget can see is no gate, unless it is said to explore', async () => {
  const [refusal] = await blockersOf(0.005);
  assert.match(
    refusal?.reason ?? '',
    /could not be decided[^]*a margin of 0\.50 % is below what this machine/,
  );
  assert.match(refusal?.next ?? '', /--allow-undecided.*--exploratory/);
  for (const other of [{ exploratory: true }, { strict: false }, { force: true }])
    assert.ok((await blockersOf(0.005, other)).every(({ next }) => next === undefined));
});

test('a budget of fewer blocks sees less, and its forecast says from how many blocks', async () => {
  const smallest = async (budgetMs: number | undefined): Promise<string> =>
    /\b(\d+) blocks of no change/.exec((await blockersOf(0.005, { budgetMs }))[0]?.reason ?? '')?.[1] ?? '';
  const all = await smallest(undefined);
  const half = await smallest((plan.repetitions / 2) * blockMs);
  assert.ok(Number(half) < Number(all), `${half} of ${all}`);
  const found = (repetitions: number): number =>
    forecastPlan({ ...plan, repetitions }, calibration)[0]?.smallestDetectable ?? Infinity;
  assert.ok(found(plan.repetitions / 2) > found(plan.repetitions));
});

test('what one machine can see says nothing of two', async () => {
  const time = { pending: plan.trials, expectedTrialMs: () => trialMs, budgetMs: undefined };
  const asked = { ...plan, hosts: { server: 'lab@far' }, margins: { ...plan.margins, pltMs: 0.005 } };
  const blockers = await Promise.resolve(visibleMargins.judge(asked, { time, gate: limits }));
  assert.deepEqual(
    blockers.map(({ reason }) => reason),
    [
      'this class of machine (this one, with the server on lab@far) is not calibrated: what it can detect is not known (npx h2h3 calibrate)',
    ],
  );
});
