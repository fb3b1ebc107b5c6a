import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryFamilies } from '../../../../src/analyse/forecast/decidability.ts';
import { decidable } from '../../../../src/app/preflight/decidable.ts';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { presetIds } from '../../../../src/app/presets/registry.ts';

function planOf(source: string, flags: PlanFlags = {}): ReturnType<typeof planFromRequest>['plan'] {
  return planFromRequest(readPlanRequest(source, flags), 'test').plan;
}

/** Why a plan could never decide; undefined where it could. */
async function refusalOf(plan: Plan): Promise<{ reason: string; next?: string | undefined } | undefined> {
  return (await decidable.judge(plan, {}))[0];
}

test('every preset that ships can decide', async () => {
  for (const id of presetIds) assert.equal(await refusalOf(planOf(id)), undefined, id);
});

test('pages are pooled into one primary comparison, downloads count each', () => {
  assert.deepEqual(
    primaryFamilies(planOf('web')).map(({ comparisons }) => comparisons),
    [1],
  );
  assert.deepEqual(
    primaryFamilies(planOf('download')).map(({ comparisons }) => comparisons),
    [2],
  );
});

test('a plan that could never decide is refused with the number of blocks that could', async () => {
  const reasonOf = async (source: string, flags: PlanFlags): Promise<string> =>
    (await refusalOf(planOf(source, flags)))?.reason ?? '';
  assert.match(await reasonOf('web', { repetitions: '3' }), /4 blocks are needed/);
  assert.match(await reasonOf('download', { repetitions: '6' }), /7 blocks are needed/);
  assert.equal(await reasonOf('web', { repetitions: '3', exploratory: true }), '');
});

test('a plan of interim analyses that could never decide is told of interim analyses too, as a gate has no other number', async () => {
  const plan = { ...planOf('download', { repetitions: '6' }), interims: [4, 6] };
  assert.match((await refusalOf(plan))?.next ?? '', /--interims that go on to \d+ or more/);
});

test('a plan with one arm compares nothing and is not refused', async () => {
  assert.equal(await refusalOf(planOf('web', { arms: 'h3', repetitions: '1' })), undefined);
});

test('a metric that only recorded trials give is refused with the number of recorded blocks that would do', async () => {
  const plan = planOf('liu2025-pages');
  assert.equal(await refusalOf(plan), undefined, 'each of its blocks is recorded');
  const refusal = await refusalOf({ ...plan, recordedBlocks: 2 });
  assert.match(refusal?.reason ?? '', /speedIndexMs with 2 recorded blocks .* 4 blocks are needed/);
  assert.match(refusal?.next ?? '', /^Use --recorded 4 /);
  const short = await refusalOf({ ...plan, recordedBlocks: 2, repetitions: 3 });
  assert.match(short?.next ?? '', /^Use --repetitions 4 --recorded 4 /);
});
