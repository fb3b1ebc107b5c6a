import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../../../reports/markdown/next-step.ts';
import { nextStepLines } from '../../../../reports/terminal/next-step-lines.ts';
import type { Answer } from '../../../../src/core/model/answer.ts';

const open: Answer = {
  kind: 'page',
  network: '4g',
  server: 'caddy',
  baselineArm: 'h2',
  candidateArm: 'h3',
  shaped: true,
  sentence: 'Not decided.',
  sureness: 'open',
  action: 'measure-more',
  advice: 'Load time is not decided. More blocks may decide it.',
  minutes: [2, 54],
  command: 'h2h3 run web --repetitions 200',
  cheaper: 'Cheaper: --budget 4m.',
  asides: [],
  comparisons: [0],
};

test('a next step is said with its time and its command, and with what costs less', () => {
  assert.deepEqual(nextStepLines([open], 100), [
    'Next (2 to 54 min): Load time is not decided. More blocks may decide it.',
    '  npx h2h3 run web --repetitions 200',
    'Cheaper: --budget 4m.',
  ]);
  assert.equal(
    nextStep(open),
    '**Load time is not decided. More blocks may decide it.** `npx h2h3 run web --repetitions 200` (2 to 54 min) Cheaper: --budget 4m.',
  );
});

test('a next step without command, time or anything cheaper is its advice alone', () => {
  const plain: Answer = { ...open, minutes: null, command: null, cheaper: undefined };
  assert.deepEqual(nextStepLines([plain], 100), [
    'Next: Load time is not decided. More blocks may decide it.',
  ]);
  assert.deepEqual(nextStepLines([], 100), []);
});
