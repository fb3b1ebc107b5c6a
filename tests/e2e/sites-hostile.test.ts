import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { serveRun } from '../../src/app/report/report.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { archivePage, canary, escapingPage } from '../support/hostile-site.ts';
import { openAddress } from '../support/opened-report.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clients = ['chromium', 'firefox'] as const;
const missCount = 300;
const breakOut = '</script><script>alert("owned")</script><img src=x onerror=alert("owned")>';
const steering = '\u001b]0;owned\u0007\u001b[2J';

/** Titles, dialogs, addresses and headers that break out of whatever takes them for its own words, and a flood of misses. */
const more = `<title>${steering}${breakOut.replaceAll('<', '&lt;')}</title><script>
alert(${JSON.stringify(steering + breakOut).replaceAll('</', '<\\/')});
console.error(${JSON.stringify(steering + breakOut).replaceAll('</', '<\\/')});
fetch('/there?' + encodeURI(${JSON.stringify(breakOut).replaceAll('</', '<\\/')}));
for (let index = 0; index < ${missCount}; index++) fetch('/miss' + index + '?__proto__=<script>alert(1)<' + '/script>');
</script>`;

/** Every text file that a run left beside its plan, journal and trials. */
function textsOf(run: string): [string, string][] {
  return readdirSync(run)
    .filter((name) => /\.(?:html|md|csv|json)$/.test(name))
    .map((name) => [name, readFileSync(join(run, name), 'utf8')]);
}

test('a hostile site is replayed in both browsers, reported and served, and nothing of it comes to life', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  for (const name of clients) {
    const client = await resolveClient(name, setup).catch((thrown: unknown) => String(thrown));
    if (typeof client === 'string') return t.skip(client);
  }
  const { port, caught } = await canary(t);
  const folder = tempFolder(t);
  const archive = await archivePage(folder, {
    html: escapingPage(port, more),
    headers: [
      ['__proto__', 'polluted'],
      ['constructor', 'polluted'],
      ['x-breaks-out', breakOut],
      ['server-timing', `a;desc="${breakOut.replaceAll('"', '')}"`],
    ],
    texts: [`/there?${encodeURI(breakOut)}`],
  });
  const run = join(folder, 'run');
  const options = ['--client', clients.join(','), '--repetitions', '1', '--exploratory', '--out', run];
  const { code, stdout, stderr } = await runCli(['run', '--sites', archive, ...options]);
  assert.deepEqual(caught, [], 'nothing but the replay is reached');
  assert.doesNotMatch(stdout + stderr, /\u001b\]|\u001b\[2J|\u0007/, 'nothing steers the terminal');
  assert.doesNotMatch(stderr, /\n\s+at /);
  assert.ok((stdout + stderr).split('\n').length < 200, 'the flood is counted, not listed');
  const records = readRecords(run);
  assert.deepEqual([...new Set(records.map(({ client }) => client))].toSorted(), [...clients], stderr);
  const ends = records.map(({ status, reason }) => `${status}: ${reason ?? ''}`);
  assert.ok(
    ends.every((end) => /^invalid: \d+ requests .* had no answer/.test(end)),
    `${code} ${ends.join('\n')}`,
  );
  assert.equal(({} as { polluted?: string }).polluted, undefined);

  for (const [name, text] of textsOf(run)) assert.ok(!text.includes(steering), name);
  const browser = await openReportBrowser('best');
  if (typeof browser === 'string') return t.skip(browser);
  t.after(() => browser.close());
  const served = await serveRun(run, undefined);
  t.after(() => served.close());
  const { page, complaints } = await openAddress(browser, served.address, { ownServer: served.address });
  assert.deepEqual(complaints, [], 'no dialog, no error, no request elsewhere');
  assert.equal(await page.evaluate('document.querySelectorAll("[onerror]").length'), 0);
  assert.match(String(await page.evaluate('document.body.innerText')), /0 valid · 4 invalid/);
});
