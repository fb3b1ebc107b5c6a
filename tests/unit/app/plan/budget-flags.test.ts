import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readBudgetFlags } from '../../../../src/app/plan/budget-flags.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function fileWith(t: TestContext, text: string): string {
  const file = join(tempFolder(t), 'budgets.yaml');
  writeFileSync(file, text);
  return file;
}

test('a file of budgets is a list, or metrics with their limits', (t) => {
  const { budgets } = readBudgetFlags([fileWith(t, 'lcp: 2500ms\nthroughput: ">20mbit/s"\n')]);
  assert.deepEqual(budgets, ['lcp<2500ms', 'throughput>20mbit/s']);
  assert.deepEqual(readBudgetFlags([fileWith(t, '- lcp<2500ms\n')]).budgets, ['lcp<2500ms']);
});

test('what has no words, such as a group of values, is no budget, and the file is named', (t) => {
  for (const text of ['lcp: {toString: 1}\n', '- {toString: 1}\n', 'lcp: [1]\n'])
    assert.throws(() => readBudgetFlags([fileWith(t, text)]), {
      code: 'bad-input',
      message: /budgets\.yaml: (lcp|entry 1) holds no budget/,
    });
});
