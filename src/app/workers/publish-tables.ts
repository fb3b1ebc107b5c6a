import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openHistory } from '../../store/history.ts';
import type { ResultsStore } from '../../store/results/results-store.ts';
import { readHistoryRun } from '../history/import-run.ts';
import { makeTemporary } from '../../core/system/temporary-folder.ts';

/**
 * Puts what a run found next to its records as Parquet, in the tables of `h2h3 history`, one file a run: a user with DuckDB reads
 * those of all runs of the store as `tables/observations/*.parquet`. Returns the keys.
 *
 * @param runDir of a run that is over @param runId of `plan.queue`
 * @throws H2h3Error `unsupported` where DuckDB is not installed
 */
export async function publishTables(runDir: string, runId: string, store: ResultsStore): Promise<string[]> {
  const folder = makeTemporary('tables');
  try {
    const history = await openHistory(join(folder, 'run.duckdb'), { exportsTo: folder });
    try {
      await history.addRun(readHistoryRun(runDir));
      const files = await history.exportParquet(folder);
      const objectKeyOf = (file: string): string => `tables/${basename(file, '.parquet')}/${runId}.parquet`;
      for (const file of files) await store.put(objectKeyOf(file), readFileSync(file));
      return files.map(objectKeyOf);
    } finally {
      history.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
