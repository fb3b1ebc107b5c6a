import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { budgetReportSchema } from '../../src/core/model/budget.ts';
import { lightBrowser, readRunFile, runCli } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** By so much each answer is late. */
const delayMs = 700;

test('a page made slow on purpose breaks the budget that it cannot keep, and that one alone', async (t) => {
  const site = await startGuardedSite(t, (_request, response) => {
    const answer = (): void =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><link rel=icon href="data:,"><title>slow</title><p>late');
    setTimeout(answer, delayMs);
  });
  const out = join(tempFolder(t), 'run');
  const { code, stdout, stderr } = await runCli([
    'run',
    '--url',
    site.url,
    '--ca',
    site.certificateFile,
    ...lightBrowser,
    '--arms',
    'h2',
    '--repetitions',
    '6',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
    '--budget',
    `ttfb<${delayMs - 100}ms`,
    '--budget',
    'ttfb<50s',
  ]);
  assert.equal(code, 1, `${stdout}\n${stderr}`);
  assert.match(stdout, /1 of 2 budgets is exceeded/);
  const report = budgetReportSchema.parse(JSON.parse(readRunFile(out, 'budgets.json')));
  assert.deepEqual(
    report.checks.map(({ limit, verdict }) => [limit, verdict]),
    [
      [delayMs - 100, 'exceeded'],
      [50_000, 'kept'],
    ],
  );
  assert.ok(
    (report.checks[0]?.median ?? 0) >= delayMs - 1,
    'the browser waited for as long as it was let wait',
  );
  assert.match(readRunFile(out, 'budgets.junit.xml'), /tests="3" failures="1"/);
  assert.match(readRunFile(out, 'budgets.md'), /^### 🟠/);
});
