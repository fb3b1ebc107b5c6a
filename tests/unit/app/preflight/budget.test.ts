import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { primaryFamilies } from '../../../../src/analyse/forecast/decidability.ts';
import { parseDuration } from '../../../../src/app/duration.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { expectedMs, expectedTrialTimes } from '../../../../src/app/plan/scale-times.ts';
import { budget } from '../../../../src/app/preflight/budget.ts';
import type { Blocker } from '../../../../src/app/preflight/check.ts';
import type { Plan, PlannedTrial } from '../../../../src/core/model/plan.ts';
import { budgetMsOf, type PlanFile } from '../../../../src/plan/plan-file.ts';
import { presetIds } from '../../../../src/app/presets/registry.ts';
import { projectDir } from '../../../support/cli.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const { plan: whole } = generateRun({ blocks: 4 });
/** Only the time of single blocks matters. */
const plan: Plan = { ...whole, exploratory: true };
const blockTrials = plan.trials.filter(({ blockIndex }) => blockIndex === 0).length;
const trialMs = 30_000;
const blockMs = blockTrials * trialMs;
const budgetFor = (ms: number): string => `--budget ${Math.ceil(ms / 60_000)}m`;

async function blockerOf(
  of: Plan,
  budgetMs: number | undefined,
  pending: readonly PlannedTrial[] = of.trials,
): Promise<Blocker | undefined> {
  const time = { pending, budgetMs, expectedTrialMs: () => trialMs };
  return (await budget.judge(of, { time }))[0];
}

test('a budget without room for one block is refused with the budgets that have it', async () => {
  const found = await blockerOf(plan, blockMs - 1);
  assert.equal(found?.code, 'usage');
  assert.ok(found.reason.includes(`its ${blockTrials} trials`), found.reason);
  assert.ok(
    found.next?.includes(`${budgetFor(blockMs)} has room for one, ${budgetFor(4 * blockMs)} for all 4`),
    found.next,
  );
});

test('a budget with room for one block, and none at all, are taken where nothing is to be decided', async () => {
  assert.equal(await blockerOf(plan, blockMs), undefined);
  assert.equal(await blockerOf(plan, undefined), undefined);
  assert.equal(await blockerOf(plan, 1, []), undefined);
});

test('of a run that goes on, the block that comes next counts, and only what is left of it', async () => {
  const last = plan.trials.slice(-1);
  assert.equal(await blockerOf(plan, trialMs, last), undefined);
  assert.match((await blockerOf(plan, trialMs - 1, last))?.reason ?? '', /for its trial$/);
});

test('a budget in which no first interim analysis can come is refused of a gate, with the blocks that it holds and those that it needs', async () => {
  const looking: Plan = { ...whole, exploratory: false, gate: true, interims: [3, 4] };
  const found = await blockerOf(looking, 2 * blockMs);
  assert.equal(found?.trialIds, undefined);
  assert.match(found?.reason ?? '', /has room for 2 of the 3 blocks that a first verdict needs/);
  assert.ok(found?.next?.includes(budgetFor(3 * blockMs)), found?.next);
  assert.equal(await blockerOf(looking, 3 * blockMs), undefined);
  assert.equal(
    await blockerOf(looking, blockMs, looking.trials.slice(blockTrials)),
    undefined,
    'a run that goes on has blocks already',
  );
});

test('any other run of so short a time begins, and says beforehand that it ends not decided', async () => {
  const looking: Plan = { ...whole, exploratory: false, interims: [3, 4] };
  const found = await blockerOf(looking, 2 * blockMs);
  assert.deepEqual(found?.trialIds, [], 'a warning');
  assert.match(found.reason, /has room for 2 of the 3 blocks .*, so it ends not decided$/);
  assert.ok(found.next?.includes(budgetFor(3 * blockMs)), found.next);
  assert.doesNotMatch(found.next ?? '--recorded', /--recorded/);
});

async function blockersOf(read: PlanFile, budgetMs: number | undefined): Promise<readonly Blocker[]> {
  const work = planFromRequest(read, 'test');
  const expectedTrialMs = await expectedTrialTimes(work);
  return budget.judge(work.plan, { time: { pending: work.plan.trials, budgetMs, expectedTrialMs } });
}

test('every preset with a budget of its own has room for its first interim analysis', async () => {
  for (const id of presetIds) {
    const read = readPlanRequest(id, {});
    assert.deepEqual(await blockersOf(read, budgetMsOf(read)), [], id);
  }
});

test('a preset with a budget asks what timed trials decide over a network, plans as many blocks as fit, and leaves a slower machine a fifth', async () => {
  const budgeted = presetIds
    .map((id) => ({ id, read: readPlanRequest(id, {}) }))
    .filter(({ read }) => budgetMsOf(read) !== undefined);
  assert.deepEqual(budgeted.map(({ id }) => id).toSorted(), [
    'download',
    'video',
    'video-fast',
    'video-wifi',
    'web',
  ]);
  for (const { id, read } of budgeted) {
    const work = planFromRequest(read, 'test');
    const { plan } = work;
    assert.ok(!read.networks.includes('loopback'), `${id} names a network`);
    assert.equal(read.recordedBlocks, 1, `${id} has a block with films and waterfalls`);
    for (const { metric, instrumentation, canDecide, minBlocks } of primaryFamilies(plan)) {
      assert.equal(instrumentation, 'uninstrumented', `${id}: ${metric} comes from timed trials`);
      assert.ok(canDecide && (plan.interims?.[0] ?? 0) >= minBlocks, `${id}: ${metric} can be decided`);
    }
    const budgetMs = budgetMsOf(read) ?? 0;
    const plannedMs = await expectedMs(work);
    const roomMs = 0.8 * budgetMs;
    assert.ok(plannedMs <= roomMs, `${id}: ${plannedMs} ms of ${roomMs}`);
    const longer = planFromRequest({ ...read, repetitions: read.repetitions + 1 }, 'test');
    assert.ok((await expectedMs(longer)) > roomMs, `${id} has room for another block`);
  }
});

test('the journey of README has room for its first verdict', async (t) => {
  const readme = readFileSync(join(projectDir, 'README.md'), 'utf8');
  const [, url = '', network = '', time = ''] =
    /run --url (\S+) .*--network (\S+) --script journey\.ts --budget (\S+)/.exec(readme) ?? [];
  const script = join(tempFolder(t), 'journey.ts');
  writeFileSync(script, 'export default async ({ page, url }) => page.goto(url);');
  const read = readPlanRequest(undefined, { url: [url], network, script });
  assert.deepEqual(await blockersOf(read, parseDuration(time)), []);
});

test('of bench:video five minutes are taken, and without a recorded block they have room for one block more', async () => {
  const [found, ...others] = await blockersOf(readPlanRequest('video', {}), 5 * 60_000);
  assert.deepEqual([found?.trialIds, others], [[], []]);
  assert.match(found?.reason ?? '', /has room for 1 of the 6 blocks/);
  assert.match(found?.next ?? '', /With --recorded 0 it has room for 2\. For a verdict give it more time/);
});
