/**
 * Makes today's results the expected ones: `node tests/golden/update.ts` writes `runs/basic/summary.json` anew from the
 * stored plan and journal. With `--run` the plan, journal and environment are generated anew first.
 * Read the difference before committing it.
 */
import { mkdirSync } from 'node:fs';
import { makeGoldenRun } from '../support/golden-run.ts';
import { goldenJson, summariseGoldenRun, writeGolden } from './golden-files.ts';

mkdirSync(new URL('runs/basic/', import.meta.url), { recursive: true });
if (process.argv.includes('--run')) {
  const { plan, records, environment } = makeGoldenRun();
  writeGolden('plan.json', goldenJson(plan));
  writeGolden('environment.json', goldenJson(environment));
  writeGolden('journal.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
writeGolden('summary.json', goldenJson(summariseGoldenRun()));
