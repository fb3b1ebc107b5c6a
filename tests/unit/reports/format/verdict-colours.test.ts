import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  budgetDiscs,
  outcomeDiscs,
  verdictColours,
  verdictDiscs,
} from '../../../../reports/format/verdict-colours.ts';
import { projectDir } from '../../../support/source-graph.ts';

test('pictures colour verdicts as pages do, and every verdict has a colour of its own', () => {
  const pages = readFileSync(join(projectDir, 'reports/html/styles/base.css'), 'utf8');
  for (const [verdict, colour] of Object.entries(verdictColours))
    assert.match(pages, new RegExp(`--${verdict}: light-dark\\(${colour}, `));
  for (const colours of [verdictColours, verdictDiscs])
    assert.equal(new Set(Object.values(colours)).size, Object.keys(colours).length);
});

test('outcomes of gates and budgets have the discs of the verdicts whose colours pages give them', () => {
  assert.deepEqual(
    [outcomeDiscs.passed, outcomeDiscs.worse, outcomeDiscs.undecided],
    [budgetDiscs.kept, budgetDiscs.exceeded, budgetDiscs.undecided],
  );
  assert.deepEqual(
    [outcomeDiscs.worse, outcomeDiscs.undecided],
    [verdictDiscs.worse, verdictDiscs.inconclusive],
  );
});
