import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ArchiveIndex } from '../../sites/archive/archive-index.ts';
import type { Summary } from '../../src/model/summary.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { answerWith, behindForm } from '../support/site-behind-form.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';

const secrets = { pass: 'pass-41d8c0e7', session: 'session-77ac02d9', note: 'note-5b61e0aa' };

const account = `<h1>the account</h1><a id="orders" href="/orders">orders</a>
<button id="search">search</button>
<script>
  document.querySelector('#search').onclick = async () => {
    const until = performance.now() + 40;
    while (performance.now() < until);
    history.pushState({}, '', '/search');
    const found = await (await fetch('/found')).text();
    const view = document.createElement('main');
    view.innerHTML = '<h2 style="font-size: 60px">' + found + '</h2>';
    document.body.replaceChildren(view);
  };
</script>`;

/** An application behind a form: an account, a search that loads no document, a second page. */
const application = behindForm(secrets, ({ url = '' }, response) => {
  if (url === '/found') return void response.end('found it');
  answerWith(response, url.startsWith('/orders') ? '<h1>orders</h1>' : account);
});

const scripts = {
  chromium: `import { test, expect, beforeMeasured, secret } from 'h2h3/journey';
beforeMeasured(async ({ page }) => {
  await page.goto('/login');
  await page.fill('input[name=word]', secret('OWN_WORD'));
  await page.click('button');
  await expect(page.locator('h1')).toHaveText('the account');
});
test('shop', async ({ page, context }) => {
  await test.step('open', async () => {
    await page.goto('/?note=' + secret('OWN_NOTE'));
    await expect(page.locator('h1')).toHaveText('the account');
  });
  await test.step('search', async () => {
    await page.locator('#search').click();
    await expect(page.locator('h2')).toHaveText('found it');
  });
  await test.step('orders', async () => {
    await page.goto('/orders');
    await expect(page).toHaveTitle('shop');
  });
});`,
  firefox: `import { beforeMeasured, step, secret } from 'h2h3/journey';
beforeMeasured(async ({ page, url }) => {
  await page.goto(url);
  await page.type('input[name=word]', secret('OWN_WORD'));
  await Promise.all([page.waitForNavigation(), page.click('button')]);
});
export default async ({ page, url }) => {
  await step('open', () => page.goto(url + '?note=' + secret('OWN_NOTE')));
  await step('search', async () => {
    await page.click('#search');
    await page.waitForSelector('h2');
  });
  await step('orders', () => page.goto(url + 'orders'));
};`,
} as const;

for (const client of ['chromium', 'firefox'] as const)
  test(`a journey behind a log-in is measured step by step in ${client}, over both protocols`, async (t) => {
    if (await skipsWithout(t, client)) return;
    const site = await startGuardedSite(t, application);
    const folder = tempFolder(t);
    const script = join(folder, 'shop.ts');
    writeFileSync(script, scripts[client]);
    const led = client === 'chromium' ? site.connectTo : [];
    const out = join(folder, 'run');
    const { code, stderr, stdout } = await runCli(
      [
        'run',
        '--client',
        client,
        '--url',
        site.url,
        '--ca',
        site.certificateFile,
        ...led,
        '--script',
        script,
        '--repetitions',
        '1',
        '--exploratory',
        '--out',
        out,
      ],
      { OWN_WORD: secrets.pass, OWN_NOTE: secrets.note },
    );
    assert.equal(code, 0, stderr);
    const records = readRecords(out);
    assert.deepEqual(
      records.map(({ watch, status, reason }) => ({ watch, status, reason })),
      ['evidence', 'evidence', 'bare', 'bare'].map((watch) => ({ watch, status: 'ok', reason: undefined })),
    );
    for (const { arm, metrics, steps = [] } of records) {
      assert.deepEqual(metrics.protocolShare, { [arm]: 1 }, 'every object of every step is proven');
      const [open, search, orders] = steps;
      assert.deepEqual(
        steps.map(({ name }) => name),
        ['open', 'search', 'orders'],
      );
      for (const loaded of [open, orders]) {
        const pltMs = loaded?.metrics['pltMs'];
        const stepMs = loaded?.metrics['stepMs'];
        assert.ok(typeof pltMs === 'number' && typeof stepMs === 'number');
        assert.ok(pltMs > 0 && pltMs <= stepMs + 1, `a load of ${pltMs} ms in a step of ${stepMs} ms`);
      }
      assert.equal(search?.metrics['pltMs'], undefined, 'the search loads no document');
      assert.ok(Number(search?.metrics['inpMs']) >= 40, 'the click was kept busy for 40 ms');
      assert.ok(Number(search?.metrics['softNavigationMs']) >= 40);
      assert.ok(Number(search?.metrics['objectCount']) >= 1, 'what the search asked for');
      const sum = steps.reduce((total, { metrics: { stepMs } }) => total + Number(stepMs), 0);
      assert.ok(Math.abs(Number(metrics['journeyMs']) - sum) < 0.01);
    }
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
    const compared = new Set(summary.comparisons.map(({ workload, metric }) => `${workload} ${metric}`));
    const [id = ''] = summary.workloads.map((workload) => workload.id);
    for (const each of ['journeyMs', ':open pltMs', ':search inpMs', ':orders stepMs'])
      assert.ok(compared.has(each.startsWith(':') ? id + each : `${id} ${each}`), each);
    assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /step “search”/);
    const written = [stdout, stderr, ...textsBelow(out)].join('\n');
    assert.deepEqual(
      Object.values(secrets).filter((secret) => written.includes(secret)),
      [],
    );
  });

/** The same journey by Puppeteer: what is recorded must not depend on by what the script speaks. */
const recordedScripts = {
  playwright: scripts.chromium,
  puppeteer: scripts.firefox,
};

test('a journey of either kind is recorded behind its log-in, and its recording is measured by the same script', async (t) => {
  if (await skipsWithout(t, 'chromium')) return;
  const site = await startGuardedSite(t, application);
  const folder = tempFolder(t);
  const environment = { OWN_WORD: secrets.pass };
  for (const [kind, written] of Object.entries(recordedScripts)) {
    const script = join(folder, `${kind}.ts`);
    writeFileSync(script, written.replace(/\?note=' \+ secret\('OWN_NOTE'\)/, `'`));
    const archive = join(folder, kind);
    const trust = kind === 'puppeteer' ? ['--ca', site.certificateFile] : ['--insecure'];
    const asked = ['record', site.url, ...site.connectTo, ...trust, '--script', script, '--out'];
    const recorded = await runCli([...asked, archive], environment);
    if (recorded.code === 3 && /mitmproxy|mitmdump/.test(recorded.stderr)) return t.skip(recorded.stderr);
    assert.equal(recorded.code, 0, recorded.stderr);
    const { entries } = JSON.parse(readFileSync(join(archive, 'index.json'), 'utf8')) as ArchiveIndex;
    const paths = entries.map(({ path, status }) => `${path} ${status}`);
    for (const each of ['/ 200', '/found 200', '/orders 200']) assert.ok(paths.includes(each), paths.join());
    const texts = [recorded.stdout, recorded.stderr, ...textsBelow(archive)].join('\n');
    assert.ok(texts.includes('the account'));
    assert.deepEqual(
      Object.values(secrets).filter((secret) => texts.includes(secret)),
      [],
    );
  }

  const out = join(folder, 'run');
  const archive = join(folder, 'puppeteer');
  const script = join(folder, 'puppeteer.ts');
  const args = ['run', '--sites', archive, '--client', 'chromium', '--script', script, '--out', out];
  const { code, stderr } = await runCli([...args, '--repetitions', '1', '--exploratory'], environment);
  assert.equal(code, 0, stderr);
  for (const { arm, status, metrics, steps = [] } of readRecords(out)) {
    assert.equal(status, 'ok');
    assert.deepEqual(metrics.protocolShare, { [arm]: 1 });
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['open', 'search', 'orders'],
    );
  }
});
