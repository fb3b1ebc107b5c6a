import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireBudget } from '../../../../src/app/run/require-budget.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan } = generateRun({ blocks: 4 });
const blockTrials = plan.trials.filter(({ blockIndex }) => blockIndex === 0).length;
const trialMs = 30_000;
const blockMs = blockTrials * trialMs;
const budgetFor = (ms: number): string => `--budget ${Math.ceil(ms / 60_000)}m`;

test('a budget without room for one block is refused with the budgets that have it', () => {
  assert.throws(
    () => requireBudget(plan.trials, () => trialMs, blockMs - 1),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'usage' &&
      error.message.includes(`its ${blockTrials} trials`) &&
      error.next?.includes(`${budgetFor(blockMs)} has room for one, ${budgetFor(4 * blockMs)} for all 4`) ===
        true,
  );
});

test('a budget with room for one block, and none at all, are taken', () => {
  requireBudget(plan.trials, () => trialMs, blockMs);
  requireBudget(plan.trials, () => trialMs, undefined);
  requireBudget([], () => trialMs, 1);
});

test('of a run that goes on, the block that comes next counts, and only what is left of it', () => {
  const [last] = plan.trials.slice(-1);
  assert.ok(last);
  requireBudget([last], () => trialMs, trialMs);
  assert.throws(() => requireBudget([last], () => trialMs, trialMs - 1), /for its trial$/);
});
