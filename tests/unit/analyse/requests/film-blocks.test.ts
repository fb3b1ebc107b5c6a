import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filmBlocks } from '../../../../src/analyse/requests/film-blocks.ts';
import type { Comparison, Summary } from '../../../../src/core/model/summary.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const summary = summaryFixture({ pages: 3 });

function withValues(metric: string, workload: string, ratio: number, values: Comparison['values']): Summary {
  const comparisons = summary.comparisons.map((one) =>
    one.metric === metric && one.workload === workload
      ? { ...one, ratio, values }
      : one.metric === metric
        ? { ...one, ratio: 1.01 }
        : one,
  );
  return { ...summary, comparisons };
}

test('the typical, the best and the worst block are filmed, by what a viewer sees', () => {
  const chosen = filmBlocks(
    withValues('speedIndexMs', 'page-2', 1.2, [
      [0, 1000, 1500],
      [1, 1000, 1190],
      [2, 1000, 700],
      [3, 1000, null],
      [4, 1000, 1400],
    ]),
  );
  assert.deepEqual(
    chosen.map(({ page, which, blockIndex }) => [page.workload, page.metric, which, blockIndex]),
    [
      ['page-2', 'speedIndexMs', 'typical', 1],
      ['page-2', 'speedIndexMs', 'best', 2],
      ['page-2', 'speedIndexMs', 'worst', 0],
    ],
  );
});

test('a block is filmed once, and a run without pictures has no film', () => {
  const one = filmBlocks(withValues('speedIndexMs', 'page-1', 1.2, [[5, 1000, 1200]]));
  assert.deepEqual(
    one.map(({ which, blockIndex }) => [which, blockIndex]),
    [['typical', 5]],
  );
  const visual = ['speedIndexMs', 'visualComplete85Ms'];
  const blind = summary.comparisons.filter(({ metric }) => !visual.includes(metric));
  assert.deepEqual(filmBlocks({ ...summary, comparisons: blind }), []);
});
