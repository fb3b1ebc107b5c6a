// Prints what came of the trials of a run, when the first began, and its report; exit 1 where none is valid or there is no report.
//   node first-trials.ts RUN BEGUN   (BEGUN: when its command began, in milliseconds since 1970)
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TrialRecord } from '../../src/core/model/record.ts';

const [, , run = 'results/latest', begunMs = '0'] = process.argv;
const journal = join(run, 'journal.jsonl');
const records = (existsSync(journal) ? readFileSync(journal, 'utf8') : '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as TrialRecord)
  // A run that was decided, or used its time, leaves the rest.
  .filter(({ status }) => status !== 'not-run');
const networks = [...new Set(records.map(({ network }) => network))];
const valid = records.filter(({ status }) => status === 'ok').length;
const firstMs = Math.min(...records.map(({ startedAt }) => Date.parse(startedAt)));
const began =
  records.length === 0 ? '' : `; the first began after ${Math.round((firstMs - Number(begunMs)) / 1000)} s`;
process.stdout.write(
  `    ${valid} of ${records.length} trials valid${networks.length > 0 ? ` over ${networks.join(', ')}` : ''}${began}\n`,
);
const report = join(run, 'report.html');
const hasReport = existsSync(report);
process.stdout.write(
  hasReport ? `    report.html: ${Math.round(statSync(report).size / 1000)} kB\n` : '    no report.html\n',
);
process.exitCode = valid === 0 || !hasReport ? 1 : 0;
