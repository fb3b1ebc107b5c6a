import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderComparisonsCsv } from '../../../../reports/csv/render-comparisons-csv.ts';
import { observationColumns, renderCsv } from '../../../../reports/csv/render-csv.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

/** Rows of a CSV without quoted line breaks. */
function rowsOf(text: string): string[][] {
  return text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

describe('CSV', () => {
  test('is tidy: one row an observation, every value as it is in the summary', () => {
    const summary = summaryFixture({ pages: 2 });
    const [head, ...rows] = rowsOf(renderCsv(summary));
    assert.deepEqual(head, [...observationColumns]);
    assert.equal(
      rows.length,
      summary.comparisons.reduce((sum, { values }) => sum + 2 * values.length, 0),
    );
    const [first] = summary.comparisons;
    const [, baseline] = first?.values[0] ?? [];
    assert.equal(Number(rows[0]?.at(-1)), baseline);
  });

  test('lists an arm that stands in two comparisons once', () => {
    const summary = summaryFixture({ pages: 1, videos: 0, downloads: 0 });
    const third = summary.comparisons.map((one) => ({ ...one, candidate: { ...one.candidate, arm: 'h1' } }));
    const twice = renderCsv({ ...summary, comparisons: [...summary.comparisons, ...third] });
    const rows = rowsOf(twice);
    assert.equal(new Set(rows.map(String)).size, rows.length);
    assert.equal(
      rows.length - 1,
      summary.comparisons.reduce((sum, { values }) => sum + 3 * values.length, 0),
    );
  });

  test('quotes what needs it, defuses formulas, and leaves a missing value empty', () => {
    const summary = summaryFixture({ pages: 0, videos: 0 });
    const run = { ...summary.run, name: '=HYPERLINK("http://x","a,b")' };
    const comparisons = summary.comparisons.map((one) => ({
      ...one,
      values: [[0, null, NaN] as [number, null, number]],
    }));
    const text = renderCsv({ ...summary, run, comparisons });
    assert.match(text, /^"'=HYPERLINK\(""http:\/\/x"",""a,b""\)"/m);
    assert.match(text, /,0,h2,\r\n/);
    assert.match(text, /,0,h3,\r\n/);
  });

  test('comparisons have a row each, with numbers in full', () => {
    const summary = summaryFixture({ pages: 3 });
    const [head, ...rows] = rowsOf(renderComparisonsCsv(summary));
    assert.equal(rows.length, summary.comparisons.length);
    const ratioColumn = head?.indexOf('ratio') ?? -1;
    rows.forEach((row, i) => {
      assert.equal(row.length, head?.length);
      assert.equal(row[ratioColumn], String(summary.comparisons[i]?.ratio ?? ''));
    });
  });
});
