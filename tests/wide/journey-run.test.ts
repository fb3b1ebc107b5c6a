import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRecords, runCli, type CliResult } from '../support/cli.ts';
import { startGuardedSite, type GuardedSite } from '../support/guarded-site.ts';
import { answerWith, behindForm } from '../support/site-behind-form.ts';
import { tempFolder } from '../support/temp-folder.ts';

const secrets = { pass: 'pass-90ab34cd', session: 'session-5e6f7081' };

/** By so much each answer of the slower address is late. */
const delayMs = 50;

/** A shop behind a form, each of whose answers is late by so much. */
const shop = (lateMs: number): Parameters<typeof startGuardedSite>[1] => {
  const own = behindForm(secrets, (_request, response) => answerWith(response, '<h1>the account</h1>'));
  return (...asked) => void setTimeout(() => own(...asked), lateMs);
};

/** Its last step ends on another host, where the same shop answers. */
const script = `import { beforeMeasured, step, secret } from 'h2h3/journey';
beforeMeasured(async ({ page, url }) => {
  await page.goto(url);
  await page.type('input[name=word]', secret('OWN_WORD'));
  await Promise.all([page.waitForNavigation(), page.click('button')]);
  if ((await page.$('h1')) === null) throw new Error('still at the form');
});
export default async ({ page, url }) => {
  await step('open', async () => {
    await page.goto(url);
    await page.waitForSelector('h1');
  });
  await step('away', () => page.goto(url.replace('localhost', 'third.localhost')));
};`;

const logIns = ({ seen }: GuardedSite): number =>
  seen.filter(({ url, headers }) => url === '/login' && headers['content-type'] !== undefined).length;

test('a journey from the address of each arm logs in once a block there, and is resumed', async (t) => {
  const production = await startGuardedSite(t, shop(0));
  const staging = await startGuardedSite(t, shop(delayMs));
  const folder = tempFolder(t);
  const scriptFile = join(folder, 'shop.ts');
  const out = join(folder, 'run');
  writeFileSync(scriptFile, script);
  const arms = [production, staging].map(({ url }) => `h3+url=${url}`);
  const run = (word: string, to: string): Promise<CliResult> =>
    runCli(
      [
        'run',
        '--client',
        'best',
        '--arms',
        arms.join(),
        '--ca',
        production.certificateFile,
        ...production.connectTo,
        ...staging.connectTo,
        '--script',
        scriptFile,
        '--repetitions',
        '2',
        '--recorded',
        '0',
        '--exploratory',
        '--out',
        to,
      ],
      { OWN_WORD: word },
    );
  const refused = await run('wrong-word-7', join(folder, 'wrong'));
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /before anything is measured: the journey shop\.ts:\d+ .* still at the form/);
  assert.ok(!refused.stderr.includes('wrong-word-7'));
  assert.equal(existsSync(join(folder, 'wrong')), false, 'nothing was made');

  const before = [production, staging].map(logIns);
  const { code, stderr } = await run(secrets.pass, out);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    [production, staging].map((site, index) => logIns(site) - (before[index] ?? 0)),
    [2, 2],
    'once a block at each address',
  );
  assertMeasured(out, staging.url);

  const journal = join(out, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(
    journal,
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const resumed = await runCli(['run', '--resume', out], { OWN_WORD: secrets.pass });
  assert.equal(resumed.code, 0, resumed.stderr);
  assertMeasured(out, staging.url);
});

/** Every trial of both blocks loaded the address of its arm, logged in, and says that its last step led elsewhere. */
function assertMeasured(out: string, slower: string): void {
  const records = readRecords(out);
  assert.equal(records.length, 4);
  for (const { status, reason, arm, factors, metrics, steps = [], warnings } of records) {
    assert.equal(status, 'ok', reason);
    assert.equal(arm, `h3+url=${factors.url}`);
    // The page of the last step is of a host that nobody looked at beforehand, so HTTP/3 is not forced there.
    assert.deepEqual(metrics.protocolShare, { h2: 0.5, h3: 0.5 });
    assert.ok(
      warnings.some((line) => /hosts without HTTP\/3 and came over TCP: third\.localhost/.test(line)),
      warnings.join('\n'),
    );
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['open', 'away'],
    );
    if (factors.url === slower) assert.ok(Number(steps[0]?.metrics['pltMs']) >= delayMs);
    const led = warnings.filter((line) => line.startsWith('step "away"'));
    assert.equal(led.length, 1, warnings.join('\n'));
    assert.match(led[0] ?? '', /ended at https:\/\/third\.localhost:\d+, not at https:\/\/localhost:\d+/);
  }
}
