import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minRepeats } from '../../../../src/analyse/senders/fingerprint.ts';
import { budgetedRuns, toldBy, type BudgetedRun } from '../../../../src/app/senders/sender-budget.ts';
import { senderRuns, type SenderRequest } from '../../../../src/app/senders/sender-plans.ts';

const one: SenderRequest = { servers: ['caddy'], client: 'chromium', repeats: minRepeats, all: false };
const fiveMinutesMs = 5 * 60_000;

const timeOf = (runs: readonly BudgetedRun[]): number =>
  runs.filter(({ fits }) => fits).reduce((sum, { neededMs }) => sum + neededMs, 0);

test('what is measured of one server within five minutes is forecast at no more, and what is left out has no room', async (t) => {
  for (const request of [one, { ...one, all: true }]) {
    const runs = await budgetedRuns(request, fiveMinutesMs);
    t.diagnostic(
      runs.map(({ run, neededMs, fits }) => `${run} ${Math.round(neededMs / 1000)} s ${fits}`).join(', '),
    );
    assert.deepEqual(
      runs.map(({ run }) => run),
      senderRuns(request),
    );
    const takenMs = timeOf(runs);
    assert.ok(takenMs > 0 && takenMs <= fiveMinutesMs, `${takenMs} ms`);
    for (const { run, neededMs, fits } of runs)
      if (!fits) assert.ok(takenMs + neededMs > fiveMinutesMs, `${run} would have had room`);
  }
});

test('what a run alone tells is named', () => {
  assert.equal(toldBy('lossy'), 'rate at 2 % loss');
  assert.match(toldBy('disturbed'), /^packets lost to its own queue, back at its rate after/);
  assert.equal(toldBy('unread'), 'answer next to one that is not read');
});
