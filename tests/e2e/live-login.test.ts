import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ArchiveIndex } from '../../sites/archive/archive-index.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, readRunFile, runCli, runCliHere } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { answerWith, behindForm } from '../support/site-behind-form.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';

const secrets = { pass: 'pass-8c1f6e20', session: 'session-0f93ab77' };

const withForm = behindForm(secrets, (_request, response) =>
  answerWith(response, '<script>localStorage.seen = 1</script><p>the account'),
);

const logInScript = `export default async ({ page, url, secret }) => {
  await page.goto(url);
  await page.type('input[name=word]', secret('OWN_WORD'));
  await Promise.all([page.waitForNavigation(), page.click('button')]);
};`;

for (const client of ['best', 'firefox'])
  test(
    `a script logs ${client} in before anything is measured, and a log-in that fails is said`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const site = await startGuardedSite(t, withForm);
      const folder = tempFolder(t);
      const script = join(folder, 'log-in.ts');
      writeFileSync(script, logInScript);
      // That what opens a page does so in recorded trials too is told by `live-access.test.ts`.
      const short = ['--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start'];
      const asked = ['run', ...site.visitedBy(client), '--login', script, ...short, '--out'];
      const out = join(folder, 'run');
      const { code, stderr, stdout } = await runCli([...asked, out], { OWN_WORD: secrets.pass });
      assert.equal(code, 0, stderr);
      const records = readRecords(out);
      assert.deepEqual(
        records.map(({ status, warnings }) => [status, warnings.filter((line) => line.includes('led on'))]),
        Array.from({ length: 2 }, () => ['ok', []]),
        'both arms',
      );
      const written = [stdout, stderr, ...textsBelow(out)].join('\n');
      assert.deepEqual(
        [secrets.pass, secrets.session].filter((secret) => written.includes(secret)),
        [],
      );

      const wrong = await runCliHere([...asked, join(folder, 'wrong')], { OWN_WORD: 'wrong-word-5' });
      assert.equal(wrong.code, 2, wrong.stderr);
      assert.match(wrong.stderr, /log-in\.ts left neither a cookie nor local storage: not logged in/);
      assert.ok(!wrong.stderr.includes('wrong-word-5'));
      assert.throws(() => readdirSync(join(folder, 'wrong')), 'nothing was made');
    },
  );

test('a script logs in before a site is recorded, and its secrets are not in the archive', async (t) => {
  const site = await startGuardedSite(t, withForm);
  const folder = tempFolder(t);
  const script = join(folder, 'log-in.ts');
  writeFileSync(script, logInScript);
  const out = join(folder, 'archive');
  const asked = ['record', site.url, ...site.connectTo, '--insecure', '--login', script, '--out'];
  const { code, stderr, stdout } = await runCli([...asked, out], { OWN_WORD: secrets.pass });
  if (/There is no mitmdump|mitmproxy, which records sites, is not to be had/.test(stderr))
    return t.skip(stderr);
  assert.equal(code, 0, stderr);
  const { entries } = JSON.parse(readRunFile(out, 'index.json')) as ArchiveIndex;
  const start = entries.find(({ path }) => path === '/');
  assert.equal(start?.status, 200, 'the page itself, and not the way to the form');
  const written = [stdout, stderr, ...textsBelow(out)].join('\n');
  assert.ok(written.includes('the account'));
  assert.deepEqual(
    Object.values(secrets).filter((secret) => written.includes(secret)),
    [],
  );

  const wrong = await runCliHere([...asked, join(folder, 'wrong')], { OWN_WORD: 'wrong-word-5' });
  assert.equal(wrong.code, 2, wrong.stderr);
  assert.match(wrong.stderr, /log-in\.ts left neither a cookie nor local storage: not logged in/);
  assert.throws(() => readdirSync(join(folder, 'wrong')), 'nothing was made');
});

test('what Playwright saved opens the pages that are recorded in several loads, and a file that holds none is refused in a sentence', async (t) => {
  /** Of the first load alone: no property of the site, and long against what a loaded machine adds. */
  const stallMs = 5_000;
  let told = 0;
  const inside = behindForm(secrets, ({ url = '' }, response) => {
    if (!url.startsWith('/told'))
      return answerWith(
        response,
        '<script>fetch(`/told?theme=${localStorage.theme}`)</script><p>the account',
      );
    setTimeout(() => answerWith(response, `load ${++told}`), told === 0 ? stallMs : 0);
  });
  const site = await startGuardedSite(t, inside);
  const folder = tempFolder(t);
  const state = join(folder, 'state.json');
  const out = join(folder, 'archive');
  const { hostname: domain, origin } = new URL(site.url);
  const cookie = { name: 'sid', value: secrets.session, domain, path: '/', httpOnly: true, secure: true };
  const localStorage = [{ name: 'theme', value: 'dark' }];
  writeFileSync(state, JSON.stringify({ cookies: [cookie], origins: [{ origin, localStorage }] }));
  const asked = ['record', site.url, ...site.connectTo, '--insecure', '--loads', '2', '--storage-state'];
  const { code, stderr, stdout } = await runCli([...asked, state, '--out', out]);
  if (/There is no mitmdump|mitmproxy, which records sites, is not to be had/.test(stderr))
    return t.skip(stderr);
  assert.equal(code, 0, stderr);
  const { entries } = JSON.parse(readRunFile(out, 'index.json')) as ArchiveIndex;
  assert.equal(entries.find(({ path }) => path === '/')?.status, 200, 'the cookie opened the page');
  const ofTold = entries.filter(({ path }) => path === '/told');
  assert.deepEqual(
    ofTold.map(({ visit, query }) => [visit, query]),
    [0, 1].map((visit) => [visit, 'theme=dark']),
    'the storage was filled in each load',
  );
  const [kept = stallMs, ...others] = ofTold.map(({ waitMs }) => waitMs);
  assert.ok(kept < stallMs && others.every((waitMs) => waitMs === kept), `${kept} ${others.join()}`);
  assert.ok(![stdout, stderr, ...textsBelow(out)].join('\n').includes(secrets.session));

  const broken = join(folder, 'broken.json');
  writeFileSync(broken, JSON.stringify({ cookies: [cookie] }).slice(0, -3));
  const unlike = join(folder, 'unlike.json');
  writeFileSync(unlike, JSON.stringify({ cookies: [{ name: 'sid', value: secrets.session }] }));
  for (const [file, reason] of [
    [join(folder, 'missing.json'), /cannot be read as a storage state: it does not exist/],
    [broken, /is no storage state: it is not JSON/],
    [unlike, /is no storage state: cookies\.0\.domain/],
  ] as const) {
    const refused = await runCliHere([...asked, file, '--out', join(folder, 'refused')]);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, reason);
    assert.doesNotMatch(refused.stderr, /^ +at /m, 'no trace of the program');
    assert.ok(!refused.stderr.includes(secrets.session));
  }
  assert.throws(() => readdirSync(join(folder, 'refused')), 'nothing was made');
});
