import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOfBudgets } from '../../../../src/app/report/budget-outputs.ts';
import { judgeBudgets } from '../../../../src/analyse/gate/judge-budgets.ts';
import { budgetReportSchema, type BudgetReport } from '../../../../src/core/model/budget.ts';
import { renderBudgetsJunit } from '../../../../reports/gate/render-budgets-junit.ts';
import { renderBudgetsMarkdown } from '../../../../reports/gate/render-budgets-markdown.ts';
import { stepWorkload } from '../../../../src/core/model/step-workload.ts';
import { generateRun } from '../../../support/generated-run.ts';

/** A run of one page whose load times are these, in both arms. */
function judged(valuesMs: readonly number[], budgets: readonly string[]): BudgetReport {
  const { plan, records } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    blocks: valuesMs.length,
    plan: { budgets: [...budgets] },
    alter: (record) => {
      Object.assign(record.metrics, { pltMs: valuesMs[record.blockIndex] });
      return record;
    },
  });
  return judgeBudgets(plan, records);
}

const slow = [2600, 2700, 2650, 2800, 2900, 2750, 2620, 2710];

test('a budget is kept or exceeded for certain, each arm by itself, and every word of it is in the sentence', () => {
  const kept = judged(slow, ['plt<3s']);
  assert.equal(kept.outcome, 'kept');
  assert.deepEqual(
    kept.checks.map(({ arm, verdict }) => [arm, verdict]),
    [
      ['h2', 'kept'],
      ['h3', 'kept'],
    ],
  );
  const exceeded = judged(slow, ['plt<2500ms', 'plt<3s']);
  assert.equal(exceeded.outcome, 'exceeded');
  assert.match(exceeded.headline.join(), /^2 of 4 budgets are exceeded/);
  assert.match(
    exceeded.checks[0]?.sentence ?? '',
    /HTTP\/2: page load time median 2705 ms \(95 % interval .* ms to .* ms\) of 8 trials, budget below 2500 ms: exceeded \(p = 0\.0\d+\)\.$/,
  );
  assert.doesNotThrow(() => budgetReportSchema.parse(exceeded));
});

test('a value at the limit keeps an inclusive budget, and speaks for neither side of another', () => {
  const atLimit = Array.from({ length: 6 }, () => 2500);
  assert.equal(judged(atLimit, ['plt<=2500ms']).outcome, 'kept');
  assert.match(
    judged(atLimit, ['plt<=2500ms']).checks[0]?.sentence ?? '',
    /budget at most 2500 ms: kept \(p = 0\.016\)\.$/,
  );
  assert.equal(judged(atLimit, ['plt>=2.5s']).outcome, 'kept');
  assert.equal(judged(atLimit, ['plt<2500ms']).outcome, 'undecided');
  assert.equal(
    judged([...atLimit, 2501, 2501, 2502, 2503, 2504, 2505], ['plt<=2500ms']).outcome,
    'undecided',
  );
  assert.equal(
    judged(
      Array.from({ length: 8 }, () => 2501),
      ['plt<=2500ms'],
    ).outcome,
    'exceeded',
  );
});

test('what may lie on either side, or has too few trials, is undecided and never exceeded', () => {
  assert.equal(judged([2400, 2600, 2450, 2700, 2300, 2650, 2550, 2480], ['plt<2500ms']).outcome, 'undecided');
  const few = judged(slow.slice(0, 4), ['plt<2500ms']);
  assert.equal(few.outcome, 'undecided');
  assert.match(
    few.headline.join(),
    /^None of 2 budgets is shown to be exceeded, 2 are not decided, with the median of \d beyond/,
  );
  assert.match(
    few.checks[0]?.sentence ?? '',
    /5 trials can show that it is kept and, with 2 limits, 6 that it is exceeded, this has fewer/,
  );
});

test('of many budgets one alone at the edge of chance is not exceeded: the family counts', () => {
  // Seven of eight above: p = 0.035 alone, and 40 budgets of which none is broken would often show one such.
  const values = [2400, ...slow.slice(1)];
  assert.equal(judged(values, ['plt<2500ms']).outcome, 'undecided', 'two arms make a family of two');
  const single = judged(
    slow,
    Array.from({ length: 20 }, () => 'plt<2500ms'),
  );
  assert.equal(single.outcome, 'undecided', '40 checks of p = 1/256');
});

/** A journey whose two steps take these times; a page is loaded in the first alone. */
function journeyJudged(budgets: readonly string[], blocks = 8): BudgetReport {
  const { plan, records } = generateRun({
    workloads: [{ id: 'shop', kind: 'journey' }],
    blocks,
    plan: { budgets: [...budgets] },
    alter: (record) => {
      const step = (name: string, metrics: Record<string, number>) => ({
        name,
        metrics,
        startMs: 0,
        durationMs: 1000,
      });
      Object.assign(record.metrics, { journeyMs: 3000 + record.blockIndex });
      return {
        ...record,
        steps: [
          step('open', { stepMs: 2000 + record.blockIndex, lcpMs: 900 + record.blockIndex }),
          step('search', { stepMs: 1000 + record.blockIndex }),
        ],
      };
    },
  });
  return judgeBudgets(plan, records);
}

test('a journey keeps a budget as a whole, its steps those that steps can have, and strict can pass', () => {
  const whole = journeyJudged(['journey<60s']);
  assert.deepEqual(new Set(whole.checks.map(({ workload }) => workload)), new Set(['shop']));
  assert.equal(exitCodeOfBudgets(whole, true), 0);
  const steps = journeyJudged(['step<10s', 'lcp<2s']);
  assert.equal(steps.outcome, 'kept');
  assert.deepEqual(
    steps.checks.filter(({ arm }) => arm === 'h2').map(({ workload, metric }) => [workload, metric]),
    [
      [stepWorkload('shop', 'open'), 'stepMs'],
      [stepWorkload('shop', 'search'), 'stepMs'],
      [stepWorkload('shop', 'open'), 'lcpMs'],
    ],
  );
  const nowhere = journeyJudged(['inp<200ms', 'journey<60s']);
  assert.equal(nowhere.outcome, 'undecided', 'a budget that nothing has is not kept');
});

test('how many trials decide is said of all limits together', () => {
  const six = ['plt<2500ms', 'plt<2501ms', 'plt<2502ms'];
  assert.match(
    judged(slow.slice(0, 4), six).checks[0]?.sentence ?? '',
    /5 trials can show that it is kept and, with 6 limits, 7 that it is exceeded, this has fewer/,
  );
  const five = judged(slow.slice(0, 5), six);
  assert.equal(five.outcome, 'undecided');
  assert.match(
    five.checks[0]?.sentence ?? '',
    /may be exceeded, but with 6 limits only 7 trials or more can show that/,
  );
  assert.equal(judged(slow.slice(0, 7), six).outcome, 'exceeded');
});

test('exit codes: 1 exceeded, 4 lost trials, 5 undecided and strict', () => {
  const kept = judged(slow, ['plt<3s']);
  const exceeded = judged(slow, ['plt<2500ms']);
  const open = judged(slow.slice(0, 3), ['plt<3s']);
  assert.deepEqual(
    [kept, exceeded, open].map((report) => exitCodeOfBudgets(report, false)),
    [0, 1, 0],
  );
  assert.deepEqual(
    [kept, exceeded, open].map((report) => exitCodeOfBudgets(report, true)),
    [0, 1, 5],
  );
  assert.equal(exitCodeOfBudgets({ ...kept, trialsFailed: true }, false), 4);
});

test('JUnit fails what is exceeded and, when strict, what is undecided; Markdown leads with it', () => {
  const exceeded = judged(slow, ['plt<3s', 'plt<2500ms']);
  const xml = renderBudgetsJunit(exceeded, { strict: false });
  assert.match(xml, /tests="5" failures="2" errors="0" skipped="0"/);
  const markdown = renderBudgetsMarkdown(exceeded);
  assert.match(markdown, /^### 🟠 2 of 4 budgets/);
  assert.ok(markdown.indexOf('exceeded |') < markdown.indexOf('kept |'));
  const open = judged(slow.slice(0, 3), ['plt<3s']);
  assert.match(renderBudgetsJunit(open, { strict: false }), /failures="0" errors="0" skipped="2"/);
  assert.match(renderBudgetsJunit(open, { strict: true }), /failures="2" errors="0" skipped="0"/);
});
