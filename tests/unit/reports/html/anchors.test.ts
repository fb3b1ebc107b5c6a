import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anchorsOf } from '../../../../reports/html/anchors.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('anchors of comparisons', () => {
  test('are unique and stay the same in another run of the same plan', () => {
    const options = { clients: ['chromium', 'firefox'], networks: ['none', 'lossy'] };
    const first = anchorsOf(summaryFixture({ ...options, seed: 1 }).comparisons);
    const second = anchorsOf(summaryFixture({ ...options, seed: 2 }).comparisons);
    assert.equal(new Set(first).size, first.length);
    assert.deepEqual(first, second);
  });

  test('name only what tells comparisons apart, and number what has the same name', () => {
    const { comparisons } = summaryFixture({ pages: 1 });
    const [one] = comparisons;
    assert.ok(one);
    assert.deepEqual(anchorsOf([one, one]), ['c-pooled-page-pltms', 'c-pooled-page-pltms-2']);
  });
});
