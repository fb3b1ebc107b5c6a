import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { presetOfGate } from '../../../../src/app/gate/gate-subject.ts';
import { comparisonRules } from '../../../../src/analyse/comparison/comparison-rules.ts';

test('a gate of players plays video by their own rules, whatever loads pages else', () => {
  assert.deepEqual(
    (['client', 'server', 'player'] as const).map((factor) => presetOfGate(factor, 'nightly')),
    ['nightly', 'nightly', 'gate-players'],
  );
  const { plan, workloads } = planFromRequest(
    readPlanRequest('gate-players', { arm: ['h3+player=dashjs@4', 'h3+player=dashjs@5'] }),
    'test',
  );
  assert.ok(workloads.every(({ kind, applies = [] }) => kind === 'video' && applies.includes('player')));
  assert.equal(comparisonRules(plan).primaryMetric('video'), 'timeWeightedBitrateKbps');
});

test('a gate judges pages over 4G and over loopback by one metric, each page on both', () => {
  const { plan } = planFromRequest(readPlanRequest('gate', { arms: 'h3,h3' }), 'test');
  const networks = Map.groupBy(plan.trials, ({ workload }) => workload);
  for (const [workload, trials] of networks)
    assert.deepEqual(
      new Set(trials.map(({ network }) => network)),
      new Set(['4g', 'loopback']),
      `${workload} is loaded over both`,
    );
  assert.equal(networks.size, 4);
  assert.equal(comparisonRules(plan).primaryMetric('page'), 'pltMs');
});
