import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkSummary } from '../../../reports/check-summary.ts';
import { csvParts } from '../../../reports/csv/render-csv.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import type { Summary } from '../../../src/core/model/summary.ts';
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
    const lists = 'headline, workloads, comparisons, troubles, sessions, warnings';
    const cases: readonly (readonly [unknown, string])[] = [
      [null, 'schemaVersion undefined'],
      ['text', 'schemaVersion undefined'],
      [{}, 'schemaVersion undefined'],
      [{ schemaVersion: 1 }, `no ${lists}`],
      [{ ...summaryFixture(), comparisons: undefined }, 'no comparisons'],
      [{ ...summaryFixture(), run: undefined }, 'no run'],
    ];
    for (const [value, lacks] of cases)
      assert.throws(
        () => checkSummary(value),
        (error) => {
          assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
          assert.equal(error.context.got, lacks);
          return true;
        },
      );
  });
});
