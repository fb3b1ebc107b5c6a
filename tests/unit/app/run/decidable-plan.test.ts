import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryFamilies } from '../../../../src/analyse/decidability.ts';
import { requireDecidable } from '../../../../src/app/run/decidable-plan.ts';
import { planFromRequest, readPlanRequest, type PlanFlags } from '../../../../src/app/plan/plan-request.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { presets } from '../../../../src/plan/presets/registry.ts';

function planOf(source: string, flags: PlanFlags = {}): ReturnType<typeof planFromRequest>['plan'] {
  return planFromRequest(readPlanRequest(source, flags), 'test').plan;
}

test('every preset that ships can decide', () => {
  for (const { id } of presets) assert.doesNotThrow(() => requireDecidable(planOf(id)), id);
});

test('pages are pooled into one primary comparison, downloads count each', () => {
  assert.deepEqual(
    primaryFamilies(planOf('web')).map(({ comparisons }) => comparisons),
    [1],
  );
  assert.deepEqual(
    primaryFamilies(planOf('download')).map(({ comparisons }) => comparisons),
    [4],
  );
});

test('a plan that could never decide is refused with the number of blocks that could', () => {
  assert.throws(() => requireDecidable(planOf('web', { repetitions: '3' })), /4 blocks are needed/);
  assert.throws(() => requireDecidable(planOf('download', { repetitions: '7' })), /8 blocks are needed/);
  assert.doesNotThrow(() => requireDecidable(planOf('web', { repetitions: '3', exploratory: true })));
});

test('a plan of looks that could never decide is told of looks too, as a gate has no other number', () => {
  const plan = { ...planOf('download', { repetitions: '7' }), looks: [4, 7] };
  assert.throws(
    () => requireDecidable(plan),
    (thrown) => thrown instanceof H2h3Error && /--looks that go on to \d+ or more/.test(thrown.next ?? ''),
  );
});

test('a plan with one arm compares nothing and is not refused', () => {
  assert.doesNotThrow(() => requireDecidable(planOf('web', { arms: 'h3', repetitions: '1' })));
});
