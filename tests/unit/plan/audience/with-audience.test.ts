import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audience } from '../../../../src/core/model/audience.ts';
import { defaultPrimaries } from '../../../../src/core/metrics/registry.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { readAudienceLines } from '../../../../src/plan/audience/read-audience.ts';
import { withAudience } from '../../../../src/plan/audience/with-audience.ts';
import { expandPlan } from '../../../../src/plan/expand-plan.ts';
import { readOutsidePlan, trialsAgain } from '../../../../src/plan/outside-plan.ts';
import { planFileSchema, withSetFactors, type PlanFileInput } from '../../../../src/plan/plan-file.ts';

const users = (...lines: string[]): Audience => readAudienceLines(lines, 'users.csv');

function expand(audience: Audience, input: PlanFileInput = {}): Plan {
  const file = withSetFactors(
    planFileSchema.parse({ workloads: ['page-a'], clients: ['chromium'], ...input }),
  );
  return expandPlan(withAudience(file, audience), {
    workloads: [
      { id: 'page-a', kind: 'page', title: 'A' },
      { id: 'page-a-repeat', kind: 'page', title: 'A again', view: 'repeat' },
      { id: 'film', kind: 'video', title: 'Film' },
    ],
    liveWorkloads: new Set(),
    defaultPrimary: defaultPrimaries,
    command: 'h2h3 run',
  });
}

const mixed = users(
  'share,rttMs,downMbps,upMbps,client,view,family,cpuSharePercent',
  '60,20,100,20,chromium,cold,4,',
  '40,80,10,2,firefox,repeat,6,25',
);

test('each segment has its network, its browser, its view, its version of IP and its CPU share', () => {
  const { conditions, trials, audience, customNetworks } = expand(mixed);
  const [near = '', far = ''] = mixed.conditions.map(({ network }) => network);
  assert.deepEqual(
    conditions.map(({ workload, client, network }) => [workload, client, network]),
    [
      ['page-a', 'chromium', near],
      ['page-a-repeat', 'firefox', far],
      ['film', 'chromium', near],
      ['film', 'firefox', far],
    ],
  );
  const second = trials.find(({ network, arm }) => network === far && arm === 'h3');
  assert.deepEqual([second?.factors['cpu'], second?.factors['family']], ['25%', '6']);
  assert.equal(trials.find(({ network }) => network === near)?.factors['cpu'], undefined);
  assert.deepEqual(audience, mixed);
  const [first] = customNetworks ?? [];
  assert.deepEqual(
    [first?.id, first?.down.rateMbps, first?.down.delayMs, first?.up.rateMbps, first?.down.queueBytes],
    [near, 100, 10, 20, 250_000],
  );
});

test('a plan with an audience that somebody else made can be carried out as it is', () => {
  const plan = expand(mixed);
  const { acts } = readOutsidePlan(JSON.parse(JSON.stringify(plan)), 'run.zip');
  assert.deepEqual(acts, []);
  assert.deepEqual(
    trialsAgain(plan, () => true),
    plan.trials,
  );
});

test('what arms or a grid set besides the audience is refused', () => {
  assert.throws(() => expand(mixed, { arms: ['h2', 'h3+cpu=50%'] }), /sets cpu, which the audience sets too/);
  assert.throws(() => expand(mixed, { set: { family: '6' } }), /sets family, which the audience sets too/);
  assert.throws(() => expand(mixed, { grid: { rateMbps: [10] } }), /has a grid or an audience/);
  assert.throws(
    () => expand(users('share,rttMs,downMbps,client', '50,20,100,chromium', '50,80,10,')),
    /names a client in some of its lines only/,
  );
});
