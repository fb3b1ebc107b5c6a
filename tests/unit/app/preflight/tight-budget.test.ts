import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { expectedTrialTimes } from '../../../../src/app/plan/scale-times.ts';
import { tightBudget } from '../../../../src/app/preflight/tight-budget.ts';
import { presetIds } from '../../../../src/app/presets/registry.ts';
import type { Plan, PlannedTrial } from '../../../../src/core/model/plan.ts';
import { budgetMsOf } from '../../../../src/plan/plan-file.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan: whole } = generateRun({ blocks: 4 });
const plan: Plan = { ...whole, exploratory: true };
const blockTrials = plan.trials.filter(({ blockIndex }) => blockIndex === 0).length;
const trialMs = 30_000;
const blockMs = blockTrials * trialMs;
const budgetFor = (ms: number): string => `--budget ${Math.ceil(ms / 60_000)}m`;

async function warningOf(
  of: Plan,
  budgetMs: number,
  pending: readonly PlannedTrial[] = of.trials,
): Promise<string | undefined> {
  const time = { pending, budgetMs, expectedTrialMs: () => trialMs };
  const [found] = await tightBudget.judge(of, { time });
  assert.ok(found === undefined || found.trialIds?.length === 0, 'a warning, no refusal');
  return found?.reason;
}

test('a budget that hardly holds the first verdict is begun, and says how long that takes and how to go on', async () => {
  const looking: Plan = { ...whole, exploratory: false, interims: [3, 4] };
  const neededMs = 3 * blockMs;
  const said = (await warningOf(looking, neededMs)) ?? '';
  assert.match(said, /has little room for the 3 blocks that a first verdict needs, about /);
  assert.ok(said.includes(budgetFor(neededMs / 0.8)), said);
  assert.match(said, /npx h2h3 run --resume/);
  assert.equal(await warningOf(looking, neededMs / 0.8), undefined);
  assert.equal(await warningOf(looking, neededMs - 1), undefined, 'that is refused');
  assert.equal(await warningOf(plan, blockMs), undefined, 'an exploratory plan decides nothing');
});

test('a run that goes on says where its budget holds no first verdict', async () => {
  const looking: Plan = { ...whole, exploratory: false, interims: [3, 4] };
  const rest = looking.trials.slice(blockTrials);
  assert.match(
    (await warningOf(looking, blockMs, rest)) ?? '',
    /has no room for the 2 blocks that a first verdict still needs/,
  );
  assert.equal(await warningOf(looking, blockMs, looking.trials.slice(3 * blockTrials)), undefined);
});

test('no preset warns of its own budget', async () => {
  for (const id of presetIds) {
    const read = readPlanRequest(id, {});
    const work = planFromRequest(read, 'test');
    const expectedTrialMs = await expectedTrialTimes(work);
    const time = { pending: work.plan.trials, budgetMs: budgetMsOf(read), expectedTrialMs };
    assert.deepEqual(await tightBudget.judge(work.plan, { time }), [], id);
  }
});
