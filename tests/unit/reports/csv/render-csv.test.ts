import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { renderComparisonsCsv } from '../../../../reports/csv/comparisons-csv.ts';
import { chunkColumns, chunkParts, hasChunks } from '../../../../reports/csv/render-chunks-csv.ts';
import { csvParts, observationColumns } from '../../../../reports/csv/render-csv.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** Rows of a CSV without quoted line breaks. */
function rowsOf(text: string): string[][] {
  return text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

describe('CSV', () => {
  const renderCsv = (summary: Summary): string => [...csvParts(summary)].join('');

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
    assert.equal(Number(rows[0]?.[observationColumns.indexOf('value')]), baseline);
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
    assert.match(text, /,0,h2,,uninstrumented\r\n/);
    assert.match(text, /,0,h3,,uninstrumented\r\n/);
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

  test('chunks have a row each, in order of play, of every session and of nothing else', () => {
    const { records } = generateRun({ blocks: 2 });
    const [first, second] = records;
    assert.ok(first !== undefined && second !== undefined);
    const chunk = {
      index: 0,
      representation: '750k',
      bitrateKbps: 750,
      durationMs: 2000,
      bytes: 187_500,
      requestStartMs: 12.5,
      firstByteMs: 60,
      lastByteMs: 212.5,
      throughputMbps: 7.5,
      protocol: 'h2',
      bufferLevelSeconds: 0,
    };
    const chunks = [chunk, { ...chunk, index: 1, requestStartMs: 220 }];
    const metrics: TrialMetrics = {};
    metrics.chunks = chunks;
    const watched = { ...first, arm: 'h2', metrics };
    const [head = [], ...rows] = rowsOf([...chunkParts([watched, { ...second, metrics: {} }])].join(''));
    assert.deepEqual(
      rows.map((row) =>
        ['trial', 'arm', 'chunk_index', 'bytes', 'requested_at_ms'].map((name) => row[head.indexOf(name)]),
      ),
      [
        [first.trialId, 'h2', '0', '187500', '12.5'],
        [first.trialId, 'h2', '1', '187500', '220'],
      ],
    );
    assert.deepEqual([hasChunks([watched]), hasChunks([{ ...second, metrics: {} }])], [true, false]);
  });

  test('every column is explained beside the code', () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../../../reports/csv/COLUMNS.md'), 'utf8');
    const [head = []] = rowsOf(renderComparisonsCsv(summaryFixture()));
    const stemmed = [...observationColumns, ...head, ...chunkColumns].map((name) =>
      name.replace(/^difference_(low|high)$/, '…_$1'),
    );
    const missing = stemmed.filter((name) => !text.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
  });

  test('loads into DuckDB as it is, with numbers as numbers and every value as in the summary', async (t) => {
    const summary = summaryFixture({ pages: 2, blocks: 6 });
    const holes = summary.comparisons.map((one, i) =>
      i === 0 ? { ...one, values: [[0, null, 1.5], ...one.values.slice(1)] as typeof one.values } : one,
    );
    const observations = path.join(tempFolder(t), 'observations.csv');
    const name = 'tricky, "quoted"\nname';
    writeFileSync(observations, renderCsv({ ...summary, comparisons: holes, run: { ...summary.run, name } }));
    const comparisons = path.join(tempFolder(t), 'comparisons.csv');
    writeFileSync(comparisons, renderComparisonsCsv(summary));
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    const rowsOfQuery = async (sql: string): Promise<Record<string, unknown>[]> =>
      (await connection.runAndReadAll(sql)).getRowObjectsJS();
    const types = await rowsOfQuery(`DESCRIBE SELECT * FROM '${observations}'`);
    const typeOf = (column: string): unknown =>
      types.find((row) => row['column_name'] === column)?.['column_type'];
    assert.deepEqual(['value', 'block_index', 'higher_is_better', 'arm', 'run'].map(typeOf), [
      'DOUBLE',
      'BIGINT',
      'BOOLEAN',
      'VARCHAR',
      'VARCHAR',
    ]);
    const [whole] = await rowsOfQuery(
      `SELECT count(*)::INT AS rows, count(value)::INT AS valued, sum(value) AS total, any_value(run) AS run FROM '${observations}'`,
    );
    const values = holes.flatMap((one) => one.values.flatMap(([, a, b]) => [a, b]));
    const known = values.filter((value) => value !== null);
    assert.deepEqual(
      [whole?.['rows'], whole?.['valued'], whole?.['run']],
      [values.length, known.length, name],
    );
    const total = known.reduce((sum, value) => sum + value, 0);
    assert.ok(Math.abs(Number(whole?.['total']) / total - 1) < 1e-12);
    const judged = await rowsOfQuery(
      `SELECT verdict, count(*)::INT AS n FROM '${comparisons}' WHERE ratio > 0 OR difference IS NOT NULL GROUP BY ALL`,
    );
    for (const { verdict, n } of judged)
      assert.equal(n, summary.comparisons.filter((one) => one.verdict === verdict).length, String(verdict));
    connection.closeSync();
    database.closeSync();
  });
});
