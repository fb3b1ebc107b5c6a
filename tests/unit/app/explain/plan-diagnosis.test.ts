import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundDifference } from '../../../../src/analyse/diagnosis/diagnose.ts';
import { diagnosisPlan } from '../../../../src/app/explain/plan-diagnosis.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { planSchema } from '../../../../src/core/model/plan.ts';

function planOf(repetitions: string) {
  const flags = {
    workload: 'download-1mb,download-10mb',
    network: 'fiber-300',
    client: 'chromium',
    repetitions,
  };
  return planFromRequest(readPlanRequest(undefined, flags), 'test').plan;
}

function found(workload: string): FoundDifference {
  const where = { client: 'chromium', network: 'fiber-300', server: 'caddy' };
  const arms = { baselineArm: 'h2', candidateArm: 'h3' };
  const timed: FoundDifference['timed'] = { differenceMs: 1, interval: [0.5, 1.5], blocks: 9 };
  return { workload, metric: 'totalRequestTimeMs', ...where, ...arms, timed };
}

test('a diagnosis run records what differs, with every probe, in six recorded blocks behind those of the run', () => {
  const plan = diagnosisPlan(planOf('9'), [found('download-10mb')]);
  assert.ok(planSchema.safeParse(plan).success);
  assert.deepEqual(
    plan.conditions.map(({ workload }) => workload),
    ['download-10mb'],
  );
  assert.equal(plan.trials.length, 12);
  assert.ok(
    plan.trials.every(
      ({ instrumentation, trialId }) => instrumentation === 'instrumented' && trialId.startsWith('e'),
    ),
  );
  assert.deepEqual([...new Set(plan.trials.map(({ blockIndex }) => blockIndex))], [11, 12, 13, 14, 15, 16]);
  assert.ok(plan.exploratory, 'its times are never judged');
  for (const probe of ['packets', 'kernel', 'activity', 'transport', 'har'])
    assert.ok(plan.probes.includes(probe));
  assert.ok(!plan.probes.includes('lighthouse'));
});

test('a run of fewer blocks is refused with what it takes', () => {
  assert.throws(() => diagnosisPlan(planOf('5'), [found('download-10mb')]), /at least 6 blocks/);
});
