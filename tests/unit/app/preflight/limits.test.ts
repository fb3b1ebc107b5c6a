import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../../../src/app/preflight/limits.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';

async function saidOf(repetitions: string, budgets: readonly string[]): Promise<readonly string[]> {
  const flags = { workload: 'page-agency', network: 'loopback', repetitions, budgets, exploratory: true };
  const { plan } = planFromRequest(readPlanRequest('web', flags), 'test');
  const blockers = await limits.judge(plan, {});
  assert.ok(
    blockers.every(({ trialIds }) => trialIds?.length === 0),
    'a warning, no refusal',
  );
  return blockers.map(({ reason }) => reason);
}

test('limits that no trial of the plan could show exceeded are told before it begins, with how many could', async () => {
  const [said = ''] = await saidOf('6', ['fcp<100', 'lcp<200']);
  assert.match(said, /^with 4 limits .* 7 trials can show .* this plan has 6: --repetitions 7$/);
  assert.deepEqual(await saidOf('7', ['fcp<100', 'lcp<200']), []);
});
