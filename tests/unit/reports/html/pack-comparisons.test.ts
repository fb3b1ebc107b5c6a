import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageComparison } from '../../../../reports/html/build-page-data.ts';
import { packComparisons, unpackComparisons } from '../../../../reports/html/pack-comparisons.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('packed comparisons', () => {
  test('come back as they were, after a way through JSON', () => {
    const summary = summaryFixture({ clients: ['chromium', 'firefox'] });
    const context = reportContext(summary);
    const comparisons = summary.comparisons.map((comparison) => pageComparison(comparison, context));
    const packed = JSON.stringify(packComparisons(comparisons));
    assert.deepEqual(
      unpackComparisons(JSON.parse(packed) as ReturnType<typeof packComparisons>),
      comparisons,
    );
    assert.ok(packed.length < JSON.stringify(comparisons).length * 0.6, 'and are smaller');
  });
});
