import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unrecordedProbes } from '../../../../src/app/preflight/unrecorded-probes.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan: generated } = generateRun();
const trials = generated.trials.map((trial) => ({ ...trial, instrumentation: 'uninstrumented' as const }));
const saidOf = async (plan: Plan): Promise<readonly string[]> =>
  (await unrecordedProbes.judge(plan, {})).map(({ reason }) => reason);

test('a probe that records in recorded blocks alone is warned of where a plan has none', async () => {
  const plan = { ...generated, trials, probes: ['trace', 'packets'] };
  const [blocker, ...others] = await unrecordedProbes.judge(plan, {});
  assert.deepEqual(others, []);
  assert.match(blocker?.reason ?? '', /^nothing is recorded by trace:/);
  assert.deepEqual(blocker?.trialIds, [], 'a warning: the plan begins');
});

test('nothing is said of probes that record in timed trials, or where a block is recorded', async () => {
  assert.deepEqual(await saidOf({ ...generated, trials, probes: ['packets'] }), []);
  const [first, ...others] = trials;
  assert.ok(first);
  const recorded = [{ ...first, instrumentation: 'instrumented' as const }, ...others];
  assert.deepEqual(await saidOf({ ...generated, trials: recorded, probes: ['trace'] }), []);
});
