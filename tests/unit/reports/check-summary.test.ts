import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkSummary } from '../../../reports/check-summary.ts';
import { csvParts } from '../../../reports/csv/render-csv.ts';
import { H2h3Error } from '../../../src/model/errors.ts';
import type { Summary } from '../../../src/model/summary.ts';
import { summaryFixture } from '../../support/summary-fixture.ts';

describe('what is no summary', () => {
  test('a newer schema is refused with both versions named', () => {
    const newer = { ...summaryFixture(), schemaVersion: 2 } as unknown as Summary;
    assert.throws(
      () => [...csvParts(newer)],
      (error) =>
        error instanceof H2h3Error &&
        error.code === 'bad-input' &&
        /newer h2h3/.test(error.message) &&
        error.context.got === 'schemaVersion 2',
    );
  });

  test('a half-written one is refused with what it lacks', () => {
    for (const value of [
      null,
      'text',
      {},
      { schemaVersion: 1 },
      { ...summaryFixture(), comparisons: undefined },
    ]) {
      assert.throws(() => {
        checkSummary(value);
      }, H2h3Error);
    }
  });
});
