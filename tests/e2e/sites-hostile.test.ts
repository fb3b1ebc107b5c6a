import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { serveRun } from '../../src/app/serve/report.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { readRecords, runCli, type CliResult } from '../support/cli.ts';
import { canary, escapingPage, hostileHost, serveHostilePage } from '../support/hostile-site.ts';
import { openAddress } from '../support/opened-report.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { slowness } from '../support/processes.ts';
import { silent } from '../support/silent-progress.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clients = ['chromium', 'firefox'] as const;
const missCount = 300;
const breakOut = '</script><script>alert("owned")</script><img src=x onerror=alert("owned")>';
const steering = '\u001b]0;owned\u0007\u001b[2J';

/**
 * Titles, dialogs, addresses and headers that break out of whatever takes them for its own words, and a flood of misses.
 * What is missing in a replay is asked for under another name each time, the one with markup in it first, because
 * messages name the first.
 */
const more = `<title>${steering}${breakOut.replaceAll('<', '&lt;')}</title><script>
const chance = Math.random();
const broken = ${JSON.stringify(steering + breakOut).replaceAll('</', '<\\/')};
document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/gone' + chance + '?' + broken }));
alert(broken);
console.error(broken);
fetch('/there?' + encodeURI(broken));
for (let index = 0; index < ${missCount}; index++) fetch('/miss' + index + '-' + chance + '?__proto__=<script>alert(1)<' + '/script>');
</script>`;

/** Every text file that a run left beside its plan, journal and trials. */
function textsOf(run: string): [string, string][] {
  return readdirSync(run)
    .filter((name) => /\.(?:html|md|csv|json)$/.test(name))
    .map((name) => [name, readFileSync(join(run, name), 'utf8')]);
}

/** Nothing that a terminal obeys, no stack trace, and no line for each of a flood. */
function assertHarmlessWords({ stdout, stderr }: CliResult): void {
  assert.doesNotMatch(stdout + stderr, /\u001b\]|\u001b\[2J|\u0007/, 'nothing steers the terminal');
  assert.doesNotMatch(stderr, /\n\s+at /);
  assert.ok((stdout + stderr).split('\n').length < 200, 'the flood is counted, not listed');
}

/** Records the site that stands at a port of this machine, as a user would, and returns the archive. */
async function record(folder: string, port: number): Promise<string> {
  const archive = join(folder, 'archive');
  const options = ['--insecure', '--connect-to', `${hostileHost}:443:127.0.0.1:${port}`, '--out', archive];
  // Its streams of events are tried again and again, so it is never quiet.
  const limit = ['--limit', `${Math.ceil(8 * slowness())}s`];
  const recorded = await runCli(['record', `https://${hostileHost}/`, ...options, ...limit]);
  assert.equal(recorded.code, 0, recorded.stderr);
  assertHarmlessWords(recorded);
  assert.match(recorded.stdout + recorded.stderr, /dialogs? w(?:as|ere) answered/);
  return archive;
}

/** Opens a page that names what was missing first, and says of the trials what `words` are. */
async function assertHarmlessPage(
  browser: Browser,
  address: string,
  { words, ...options }: { readonly words: RegExp; readonly ownServer?: string },
): Promise<void> {
  const { page, complaints } = await openAddress(browser, address, options);
  // The live page asks for its run after it has loaded.
  await page.waitForFunction(`${String(words)}.test(document.body.innerText)`);
  assert.deepEqual(complaints, [], 'no dialog, no error, no request elsewhere');
  assert.equal(await page.evaluate('document.querySelectorAll("[onerror]").length'), 0);
  const text = String(await page.evaluate('document.body.innerText'));
  assert.ok(text.includes('/gone'), 'what was missing first is named');
}

test('a hostile site is recorded, replayed in both browsers, reported and served, and nothing of it comes to life', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  for (const name of clients) {
    const client = await resolveClient(name, setup).catch(messageOf);
    if (typeof client === 'string') return t.skip(client);
  }
  const mitmdump = await ensureMitmdump(setup).catch(messageOf);
  if (typeof mitmdump === 'string') return t.skip(mitmdump);
  const { port, caught } = await canary(t);
  const folder = tempFolder(t);
  const site = await serveHostilePage(t, await openCertificateStore({ cache: setup.cache }), {
    html: escapingPage(port, more),
    headers: [
      ['__proto__', 'polluted'],
      ['constructor', 'polluted'],
      ['x-breaks-out', breakOut],
      ['server-timing', `a;desc="${breakOut.replaceAll('"', '')}"`],
    ],
  });
  const archive = await record(folder, site);
  assert.deepEqual(caught, [], 'a recorded page does not reach this machine');
  const run = join(folder, 'run');
  const options = [
    '--client',
    clients.join(','),
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    run,
  ];
  const ran = await runCli(['run', '--sites', archive, ...options]);
  const { code, stderr } = ran;
  assert.deepEqual(caught, [], 'nothing but the replay is reached');
  assertHarmlessWords(ran);
  const records = readRecords(run);
  assert.deepEqual([...new Set(records.map(({ client }) => client))].toSorted(), [...clients], stderr);
  const ends = records.map(({ status, reason }) => `${status}: ${reason ?? ''}`);
  assert.ok(
    ends.every((end) => /^invalid: \d+ requests? .* had no answer.*site\.test\/gone/.test(end)),
    `${code} ${ends.join('\n')}`,
  );
  assert.equal(({} as { polluted?: string }).polluted, undefined);

  for (const [name, text] of textsOf(run)) assert.ok(!text.includes(steering), name);
  const browser = await openReportBrowser('best');
  if (typeof browser === 'string') return t.skip(browser);
  t.after(() => browser.close());
  const served = await serveRun(run, undefined, { progress: silent });
  t.after(() => served.close());
  await assertHarmlessPage(browser, served.address, {
    words: /0 valid · 4 invalid/,
    ownServer: served.address,
  });
  await assertHarmlessPage(browser, pathToFileURL(join(run, 'report.html')).href, {
    words: /0 of 4 trials valid/,
  });
});
