import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { publishTables } from '../../../../src/app/workers/publish-tables.ts';
import { folderStore } from '../../../../src/store/results/folder-store.ts';
import { writeFinishedRun } from '../../../support/finished-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('DuckDB reads what the runs of a store found from Parquet in it, each run once', async (t) => {
  const folder = tempFolder(t);
  const place = join(folder, 'shared');
  const values = [1, 2].map((seed) => writeFinishedRun(join(folder, `run-${seed}`), seed));
  for (const index of [0, 1, 1])
    await publishTables(join(folder, `run-${index + 1}`), `id-${index}`, folderStore(place));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  t.after(() => connection.closeSync());
  const rows = await connection.runAndReadAll(
    `SELECT filename, count(*)::INTEGER AS n, sum(value) AS total
     FROM read_parquet('${place}/tables/observations/*.parquet', filename = true)
     WHERE metric = 'pltMs' GROUP BY ALL ORDER BY filename`,
  );
  const found = rows.getRowObjectsJson().map(({ n, total }) => [n, Math.round(Number(total))]);
  const sum = (numbers: readonly number[]): number => Math.round(numbers.reduce((a, b) => a + b, 0));
  assert.deepEqual(
    found,
    values.map((pltMs) => [pltMs.length, sum(pltMs)]),
  );
});
