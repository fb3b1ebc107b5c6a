import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRecords, readSummary, runCli } from '../support/cli.ts';
import { startGuardedSite, type Answer } from '../support/guarded-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** By so much each answer of the slower address is late. */
const delayMs = 50;
/** Scripts that follow one another, so that what is late adds up to more than a busy machine's noise. */
const scripts = 8;

/** A page of scripts of which each names the next. */
const answering =
  (lateMs: number): Answer =>
  ({ url = '/' }, response) => {
    const step = url === '/' ? 0 : Number(/\d+/.exec(url)?.[0] ?? scripts);
    const next = step < scripts ? `/step${step + 1}.js` : null;
    const answer = (): void => {
      if (url !== '/')
        return void response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(next === null ? '' : `import '${next}';`);
      const head = '<!doctype html><link rel=icon href="data:,"><title>two</title><p>here';
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`${head}<script type=module src="${next}"></script>`);
    };
    if (lateMs === 0) answer();
    else setTimeout(answer, lateMs);
  };

test('of two addresses as arms the slower one is named and found', async (t) => {
  const production = await startGuardedSite(t, answering(0));
  const staging = await startGuardedSite(t, answering(delayMs));
  const out = join(tempFolder(t), 'run');
  const arms = [`h3+url=${production.url}`, `h3+url=${staging.url}`];
  const { code, stdout, stderr } = await runCli([
    'run',
    '--arms',
    arms.join(),
    '--ca',
    production.certificateFile,
    ...production.connectTo,
    ...staging.connectTo,
    '--repetitions',
    '7',
    '--recorded',
    '0',
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records.map(({ reason }) => reason))}`);
  for (const { arm, status, factors, metrics } of records) {
    assert.equal(status, 'ok', arm);
    assert.equal(arm, `h3+url=${factors.url}`);
    if (factors.url === staging.url) assert.ok(Number(metrics['pltMs']) >= delayMs * (scripts + 1));
  }
  const { comparisons } = readSummary(out);
  const primary = comparisons.find(({ primary: is, metric }) => is && metric === 'pltMs');
  assert.equal(primary?.candidate.arm, arms[1]);
  assert.equal(primary?.verdict, 'worse', stdout);
  const told = stdout.replaceAll(/\s+/g, ' ');
  assert.ok(told.includes('a factor of') && told.includes(`over HTTP/3 from ${staging.url}.`), stdout);
  assert.ok(told.includes(`Stay with ${production.url}`), stdout);
});
