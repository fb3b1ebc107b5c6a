import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOfRun } from '../../../../src/app/judge/exit-code-of-run.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { TrialRecord, TrialStatus } from '../../../../src/core/model/record.ts';
import { trialRecord } from '../../../support/trial-record.ts';

const { plan } = planFromRequest(
  readPlanRequest('web', { workload: 'page-agency', repetitions: '10' }),
  'test',
);

function records(statusOf: (arm: string, block: number) => TrialStatus): TrialRecord[] {
  return plan.trials.map(({ trialId, arm, blockIndex }) =>
    trialRecord({ trialId, arm, blockIndex, status: statusOf(arm, blockIndex) }),
  );
}

test('a run whose trials are all ok ends with 0', () => {
  assert.equal(
    exitCodeOfRun(
      plan,
      records(() => 'ok'),
    ),
    0,
  );
});

test('up to a fifth of the trials may fail, more may not', () => {
  assert.equal(
    exitCodeOfRun(
      plan,
      records((_, block) => (block < 2 ? 'invalid' : 'ok')),
    ),
    0,
  );
  assert.equal(
    exitCodeOfRun(
      plan,
      records((_, block) => (block < 3 ? 'failed' : 'ok')),
    ),
    4,
  );
});

test('an arm without a single valid trial is a failure, however few trials that is', () => {
  assert.equal(
    exitCodeOfRun(
      plan,
      records((arm) => (arm === 'h3' ? 'unsupported' : 'ok')),
    ),
    4,
  );
});

test('trials that a budget left out are no failures', () => {
  assert.equal(
    exitCodeOfRun(
      plan,
      records((_, block) => (block < 4 ? 'ok' : 'not-run')),
    ),
    0,
  );
});
