import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinishedNight, NightlyOptions } from '../../../../src/app/nightly/nightly.ts';
import { nights } from '../../../../src/app/nightly/nights.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { ExitCode } from '../../../../src/core/model/exit-codes.ts';
import { generateGateRun } from '../../../support/gate-run.ts';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { contextThatSays } from '../../../support/app-context.ts';

const { plan, records } = generateGateRun({});
const gate = judgeGate(plan, records);

/** Nights that end with these codes, or cannot be begun. */
function nightsOf(ends: Readonly<Record<string, ExitCode | H2h3Error>>): {
  readonly asked: readonly NightlyOptions[];
  readonly runNight: (options: NightlyOptions) => Promise<FinishedNight>;
} {
  const asked: NightlyOptions[] = [];
  const runNight = (options: NightlyOptions): Promise<FinishedNight> => {
    asked.push(options);
    const end = ends[options.candidate ?? ''] ?? 0;
    if (end instanceof H2h3Error) return Promise.reject(end);
    return Promise.resolve({ gate, reportPath: 'report.html', trendPath: null, exitCode: end });
  };
  return { asked, runNight };
}

test('a night checks each candidate, and ends as the gravest of them', async () => {
  const { context } = contextThatSays();
  const { asked, runNight } = nightsOf({ 'nginx@latest': 1, 'dashjs@latest': 4 });
  const candidates = ['chromium@stable', 'nginx@latest', 'dashjs@latest'];
  let finished = 0;
  const code = await nights({ candidates, budgetMs: 5 }, context, () => (finished += 1), runNight);
  assert.equal(code, 1);
  assert.equal(finished, 3);
  assert.deepEqual(
    asked.map(({ candidate, budgetMs }) => [candidate, budgetMs]),
    candidates.map((candidate) => [candidate, 5]),
  );
});

test('a candidate without a baseline does not keep the others, and shows in the exit code', async () => {
  const { context, said } = contextThatSays();
  const { asked, runNight } = nightsOf({
    nginx: new H2h3Error('usage', 'no baseline of nginx was accepted', { next: 'Accept one.' }),
  });
  const code = await nights({ candidates: ['nginx', 'dashjs'] }, context, () => undefined, runNight);
  assert.equal(code, 2);
  assert.equal(asked.length, 2);
  assert.deepEqual(said, ['nginx: no baseline of nginx was accepted', '  next: Accept one.']);
  await assert.rejects(
    nights({ candidates: ['nginx'] }, context, () => undefined, runNight),
    /no baseline/,
  );
});

test('an interruption ends the night, and one baseline is not that of two candidates', async () => {
  const { context } = contextThatSays();
  const { asked, runNight } = nightsOf({ nginx: new H2h3Error('interrupted', 'interrupted') });
  const both = { candidates: ['nginx', 'dashjs'] };
  await assert.rejects(
    nights(both, context, () => undefined, runNight),
    /interrupted/,
  );
  assert.equal(asked.length, 1);
  await assert.rejects(
    nights({ ...both, baseline: 'nginx@1.26' }, context, () => undefined, runNight),
    /one baseline cannot be that of nginx, dashjs/,
  );
});
