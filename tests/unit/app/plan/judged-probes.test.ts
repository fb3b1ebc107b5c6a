import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireJudgeableProbes } from '../../../../src/app/plan/judged-probes.ts';
import { planFromRequest, readPlanRequest, type PlanFlags } from '../../../../src/app/plan/plan-request.ts';
import type { Plan } from '../../../../src/model/plan.ts';
import { presets } from '../../../../src/plan/presets/registry.ts';

const planOf = (flags: PlanFlags, source?: string): Plan =>
  planFromRequest(readPlanRequest(source, { repetitions: '8', ...flags }), 'test').plan;
const download = { workload: 'download-10mb', network: 'fiber-300' };

test('probes that slow a trial down are refused where its times are judged, with how to have both', () => {
  const plan = planOf({ ...download, probe: ['profile,packets,qlog'] });
  assert.throws(() => requireJudgeableProbes(plan), {
    code: 'usage',
    message: /^throughputMbps would be judged in trials with the probes (?:qlog, profile|profile, qlog): /,
    next: /--diagnose .*--exploratory/,
  });
});

test('light probes, trials that are not judged and counts that a probe does not change are let through', () => {
  requireJudgeableProbes(planOf({ ...download, probe: ['packets,context-switches,cpu-samples'] }));
  requireJudgeableProbes(planOf({ ...download, probe: ['profile,qlog'], exploratory: true }));
  for (const { id } of presets.filter(({ scales }) => scales !== undefined && !('url' in scales)))
    if (id !== 'zhang2024-mobile') requireJudgeableProbes(planOf({}, id));
});
