/**
 * Makes today's results the expected ones: `npm run golden:update` writes `summary.json` and `report.html` of `runs/basic`
 * anew from the stored plan and journal, `derived.json` from the evidence in `runs/recorded`, and
 * `sentences.txt` from all metrics. With `--run` the plan, journal and environment are generated anew first.
 * Read the difference before committing it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { allSentences } from './sentences.ts';
import { makeGoldenRun } from '../support/golden-run.ts';
import {
  deriveGoldenTrials,
  goldenJson,
  renderGoldenReport,
  summariseGoldenRun,
  writeGolden,
} from './golden-files.ts';

mkdirSync(new URL('runs/basic/', import.meta.url), { recursive: true });
if (process.argv.includes('--run')) {
  const { plan, records, environment } = makeGoldenRun();
  await writeGolden('plan.json', goldenJson(plan));
  await writeGolden('environment.json', goldenJson(environment));
  await writeGolden('journal.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
writeFileSync(new URL('sentences.txt', import.meta.url), allSentences());
await writeGolden('summary.json', goldenJson(summariseGoldenRun()));
await writeGolden('derived.json', goldenJson(await deriveGoldenTrials()));
await writeGolden('report.html', await renderGoldenReport());
