import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { summarySchema } from '../../src/model/summary.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { countsApart, differencesFound } from '../support/watching-checks.ts';

/** The fewest blocks with which one workload's comparison could find a difference. */
const blocks = '6';

/** Its scripts work for most of its load, so that the CPU's time makes its own. */
const busyPage = 'replica-scratch.mit.edu';

test('two equal arms raise no alarm on a page that the CPU limits, and watching changes no count', async (t) => {
  const out = join(tempFolder(t), 'run');
  const page = ['--sites', busyPage, '--client', 'embedded'];
  const { code, stderr } = await runCli([
    'run',
    ...page,
    '--arms',
    'h3,h3',
    '--repetitions',
    blocks,
    '--evidence',
    '1',
    '--network',
    'loopback',
    '--out',
    out,
  ]);
  assert.equal(code, 0, stderr);
  const summary = summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')));
  const [primary] = summary.comparisons.filter((comparison) => comparison.primary);
  assert.deepEqual([primary?.watch, primary?.blocks], ['bare', 6]);
  assert.deepEqual(differencesFound(summary), []);
  assert.deepEqual(countsApart(readRecords(out)), []);
});
