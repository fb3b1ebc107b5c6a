import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunProgress } from '../../../../src/app/run/run-progress.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { silent } from '../../../support/silent-progress.ts';

test('the time left is what the trials take, and no more than the budget has', () => {
  const { plan } = generateRun({ blocks: 2 });
  const [trial] = plan.trials;
  assert.ok(trial !== undefined);
  const trials = Array.from({ length: 12 }, () => trial);
  const leftWith = (budgetEndMs: number): string => {
    const shown: string[] = [];
    const progress = new RunProgress({
      progress: { ...silent, show: (line) => void shown.push(line) },
      total: trials.length,
      done: 0,
      mayEndEarly: false,
      budgetEndMs,
      expectedTrialMs: () => 60_000,
      primaryOf: () => undefined,
    });
    progress.begin(trial, trials);
    return shown.join();
  };
  assert.match(leftWith(Infinity), /, 12 min left$/);
  assert.match(leftWith(performance.now() + 120_500), /, at most 2 min left$/);
  assert.match(leftWith(performance.now() - 1), /, at most 0 s left$/);
});
