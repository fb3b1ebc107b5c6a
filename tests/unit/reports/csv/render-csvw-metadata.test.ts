import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderComparisonsCsv } from '../../../../reports/csv/comparisons-csv.ts';
import { renderCsvwMetadata } from '../../../../reports/csv/render-csvw-metadata.ts';
import { observationColumns } from '../../../../reports/csv/render-csv.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const page = readFileSync(join(projectDir, 'reports/csv/COLUMNS.md'), 'utf8');

interface Column {
  readonly name: string;
  readonly datatype: string;
  readonly 'dc:description'?: string;
}

const columnsOf = (names: readonly string[]): readonly Column[] =>
  (JSON.parse(renderCsvwMetadata('x.csv', names, page)) as { tableSchema: { columns: readonly Column[] } })
    .tableSchema.columns;

test('every column of both tables has a meaning and a type, also those that share a row', () => {
  const [head = ''] = renderComparisonsCsv(summaryFixture()).split('\r\n', 1);
  const columns = [...columnsOf(observationColumns), ...columnsOf(head.split(','))];
  assert.deepEqual(
    columns.filter((column) => column['dc:description'] === undefined),
    [],
  );
  const typeOf = (name: string): string | undefined => columns.find((one) => one.name === name)?.datatype;
  assert.deepEqual(
    ['difference_high', 'lowest_site', 'lowest_site_ratio', 'exploratory', 'baseline_n', 'workload'].map(
      typeOf,
    ),
    ['number', 'string', 'number', 'boolean', 'integer', 'string'],
  );
});
