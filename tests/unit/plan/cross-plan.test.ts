import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../src/app/plan/plan-request.ts';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { planSchema, type Plan } from '../../../src/core/model/plan.ts';
import { crossPlan, type CrossedFactor } from '../../../src/plan/cross-plan.ts';

function planOf(arms: string, network = 'fiber-300'): Plan {
  const flags = {
    workload: 'download-1mb,download-10mb',
    network,
    client: 'chromium',
    arms,
    repetitions: '9',
  };
  return planFromRequest(readPlanRequest(undefined, flags), 'test').plan;
}

function crossed(plan: Plan, factor: Omit<CrossedFactor, 'id'>): Plan {
  const [first] = plan.conditions;
  const conditions = first === undefined ? [] : [first];
  return crossPlan(plan, { id: 'tried', ...factor }, { conditions, repetitions: 6, networkSpecs });
}

test('every arm is there twice in each block, as it was and with the factor, and none by the same name', () => {
  const plan = crossed(planOf('h2,h3'), { factor: 'cpu', value: '50%' });
  assert.ok(planSchema.safeParse(plan).success);
  assert.deepEqual(
    plan.arms.map(({ label }) => label),
    ['h2', 'h3', 'h2+cpu=50%', 'h3+cpu=50%'],
  );
  assert.equal(plan.trials.length, 4 * 6);
  assert.equal(new Set(plan.trials.map(({ trialId }) => trialId)).size, plan.trials.length);
  for (const { arm, factors } of plan.trials)
    assert.equal(factors.cpu, arm.endsWith('50%') ? '50%' : undefined);
  const orders = [0, 1, 2, 3, 4, 5].map((block) =>
    plan.trials.flatMap(({ blockIndex, arm }) => (blockIndex === block ? arm : [])).join(),
  );
  assert.ok(new Set(orders).size > 1, 'the order within a block is drawn');
  assert.deepEqual(plan.compare, [
    ['h2', 'h3'],
    ['h2+cpu=50%', 'h3+cpu=50%'],
  ]);
});

test('blocks stay whole: the four trials of a block run one after the other', () => {
  const plan = crossed(planOf('h2,h3'), { factor: 'cpu', value: '50%' });
  const blocks = plan.trials.map(({ blockIndex }) => blockIndex);
  assert.deepEqual(
    blocks,
    blocks.toSorted((a, b) => a - b),
  );
});

test('a fault brings the path that it makes', () => {
  const plan = crossed(planOf('h2,h3'), { factor: 'fault', value: 'delay=+100%' });
  const [standIn] = plan.standIns ?? [];
  const made = plan.customNetworks?.find(({ id }) => id === standIn?.standIn);
  const before = networkSpecs.find(({ id }) => id === 'fiber-300');
  assert.equal(made?.up.delayMs, 2 * (before?.up.delayMs ?? 0));
});

test('a factor that all arms have alike is set otherwise', () => {
  const plan = crossed(planOf('h2+cpu=50%,h3+cpu=50%'), { factor: 'cpu', value: '100%' });
  assert.deepEqual(
    plan.arms.map(({ label }) => label),
    ['h2+cpu=50%', 'h3+cpu=50%', 'h2+cpu=100%', 'h3+cpu=100%'],
  );
  for (const { arm, factors } of plan.trials)
    assert.equal(factors.cpu, arm.endsWith('100%') ? '100%' : '50%');
});

test('a factor that one arm sets or all have already, and a fault that the network cannot have, are refused', () => {
  assert.throws(
    () => crossed(planOf('h3,h3+cpu=50%'), { factor: 'cpu', value: '25%' }),
    /sets the CPU share already, and not every arm does so alike/,
  );
  assert.throws(
    () => crossed(planOf('h2+cpu=50%,h3+cpu=50%'), { factor: 'cpu', value: '50%' }),
    /sets the CPU share already$/,
  );
  const flat = planOf('h2,h3', 'ethernet-1g');
  assert.throws(() => crossed(flat, { factor: 'fault', value: 'delay=+100%' }), /has no delay/);
});

test('an arm over a protocol for which the factor is not meant is there once, and compared with both', () => {
  const plan = crossed(planOf('h2,h3'), {
    factor: 'initialwindow',
    value: '32',
    protocols: ['h1', 'h2'],
  });
  assert.ok(planSchema.safeParse(plan).success);
  assert.deepEqual(
    plan.arms.map(({ label }) => label),
    ['h2', 'h3', 'h2+initialwindow=32'],
  );
  assert.equal(plan.trials.length, 3 * 6);
  assert.deepEqual(plan.compare, [
    ['h2', 'h3'],
    ['h2+initialwindow=32', 'h3'],
  ]);
});
