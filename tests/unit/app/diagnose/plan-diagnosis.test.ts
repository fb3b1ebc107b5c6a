import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisPlan, explainable } from '../../../../src/app/diagnose/plan-diagnosis.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { Diagnosis } from '../../../../src/model/diagnosis.ts';
import { planSchema } from '../../../../src/model/plan.ts';
import type { Summary } from '../../../../src/model/summary.ts';

function planOf(repetitions: string) {
  const flags = {
    workload: 'download-1mb,download-10mb',
    network: 'fiber-300',
    client: 'chromium',
    repetitions,
  };
  return planFromRequest(readPlanRequest(undefined, flags), 'test').plan;
}

function explained(workload: string, metric = 'totalRequestTimeMs'): Diagnosis {
  const where = { client: 'chromium', network: 'fiber-300', server: 'caddy' };
  return { workload, metric, ...where, differenceMs: 1, parts: [], unexplainedMs: 1 };
}

test('a diagnosis run measures what differs again, with every probe, in six blocks of its own', () => {
  const plan = diagnosisPlan(planOf('9'), [explained('download-10mb')]);
  assert.ok(planSchema.safeParse(plan).success);
  assert.deepEqual(
    plan.conditions.map(({ workload }) => workload),
    ['download-10mb'],
  );
  assert.equal(plan.trials.length, 12);
  assert.ok(plan.exploratory, 'its times are never judged');
  for (const probe of ['packets', 'kernel', 'activity', 'transport', 'har'])
    assert.ok(plan.probes.includes(probe));
  assert.ok(!plan.probes.includes('lighthouse'));
});

test('a run of fewer blocks is refused with what it takes', () => {
  assert.throws(() => diagnosisPlan(planOf('5'), [explained('download-10mb')]), /at least 6 blocks/);
});

test('pages and downloads are measured again, means over pages are made of these', () => {
  const summary = {
    diagnosis: [explained('pooled', 'pltMs'), explained('page-agency', 'pltMs'), explained('download-1mb')],
  } as Summary;
  assert.deepEqual(
    explainable(summary).map(({ workload }) => workload),
    ['page-agency', 'download-1mb'],
  );
});
