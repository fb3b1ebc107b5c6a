import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, mkdirSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Page } from 'puppeteer-core';
import { writeReports, writeSummary } from '../../src/app/report/publish.ts';
import { serveReports } from '../../src/app/serve/serve-report.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { generateRun } from '../support/generated-run.ts';
import { hostileReport, wantedMark, waysTried } from '../support/hostile-report.ts';
import { drawCharts, inPage, newPage, openAddress, rowsInPlace, textOf } from '../support/opened-report.ts';
import { startLimitMs, waitUntil } from '../support/processes.ts';
import { describeInReportBrowsers } from '../support/report-browser.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** One dot. */
const picture = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

/** Two runs with reports below `parent`; `name` becomes the run's folder. */
async function makeRun(parent: string, name: string, slowdown: number): Promise<string> {
  const { plan, records } = generateRun({ slowdown: { h3: slowdown }, plan: { name } });
  const directory = createRunDirectory(path.join(parent, name), plan);
  records.forEach((record) => directory.append(record));
  await writeReports(directory, writeSummary(directory), () => undefined);
  mkdirSync(path.join(directory.path, 'films'));
  writeFileSync(path.join(directory.path, 'films', 'dot.webp'), picture);
  return directory.path;
}

/** How long a page is waited for that never comes. */
const downloadMs = 2_000;

interface Outcome {
  readonly tried: readonly string[];
  readonly read: readonly string[];
  readonly learnt: readonly string[];
}

async function outcomeOf(page: Page, address: string): Promise<Outcome> {
  await page.goto(address, { waitUntil: 'load' });
  return inPage<Outcome>(page, `done.then(() => ({ tried, read, learnt }))`);
}

/** The files of a folder without a word about what may be done with them. */
async function serveBare(folder: string): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer(({ url = '/' }, response) => {
    const file = path.join(folder, url.replace('/run/', '/'));
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = { '.html': 'text/html', '.webp': 'image/webp' }[path.extname(file)] ?? 'text/plain';
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describeInReportBrowsers('runs that are served together', (available, name) => {
  test('no page of a run reads another run, keeps anything, or learns what it holds', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const parent = tempFolder(t);
    const good = await makeRun(parent, 'good', 1);
    const evil = await makeRun(parent, 'evil', 1.2);
    writeFileSync(path.join(good, 'notes.md'), `${wantedMark}\n`);
    mkdirSync(path.join(evil, 'report'), { recursive: true });
    const page = await newPage(opened);
    t.after(() => page.close());

    // Without a policy most ways lead there, so that the page does try them.
    const bare = await serveBare(parent);
    t.after(bare.close);
    writeFileSync(
      path.join(evil, 'report.html'),
      hostileReport('/good/run/notes.md', '/good/films/dot.webp'),
    );
    const leading = ['fetch', 'XMLHttpRequest', 'frame', 'worker', 'frame of its own text', 'picture'];
    // A page waits for each way so long that a busy machine may not have answered.
    await waitUntil(`without a policy these lead there: ${leading.join()}`, startLimitMs, async () => {
      const { read, learnt } = await outcomeOf(page, `${bare.address}evil/report.html`);
      return leading.every((way) => [...read, ...learnt].includes(way));
    });

    const server = await serveReports(parent, undefined);
    t.after(() => server.close());
    await page.goto(server.address, { waitUntil: 'load' });
    await inPage(page, `localStorage.setItem('own', ${JSON.stringify(wantedMark)})`);
    for (const [file, wanted] of [
      ['report.html', '/good/run/notes.md'],
      ['report/part.html', '../../../good/notes.md'],
      ['report.html', '/good/events'],
      ['report.html', '/'],
    ] as const) {
      writeFileSync(path.join(evil, file), hostileReport(wanted, '/good/films/dot.webp'));
      for (const below of ['', 'run/']) {
        const { tried, read, learnt } = await outcomeOf(page, `${server.address}evil/${below}${file}`);
        assert.equal(tried.length, waysTried);
        assert.deepEqual([read, learnt], [[], []], `${below}${file} after ${wanted}`);
      }
    }
    await page.goto(server.address, { waitUntil: 'load' });
    assert.equal(await inPage(page, `localStorage.getItem('own')`), wantedMark);
    assert.equal(
      await inPage(page, `navigator.serviceWorker.getRegistrations().then((all) => all.length)`),
      0,
    );
  });

  test('no file of a run but its report runs a script, whatever it is called', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const parent = tempFolder(t);
    const evil = await makeRun(parent, 'evil', 1.2);
    const html = '<!doctype html><html><script>window.ran = 1; document.title = "ran"</script></html>';
    const xml =
      '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="style.xml"?><x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>window.ran = 1; document.title = "ran"</h:script></x>';
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg"><script>window.ran = 1; document.title = "ran"</script></svg>';
    const shown = {
      'note.xml': xml,
      'note.md': html,
      'note.json': html,
      'note.csv': html,
      'note.jsonl': xml,
      'note.har': svg,
    };
    const notShown = {
      'note.svg': svg,
      'note.htm': html,
      'note.xhtml': xml,
      'note.HTML': html,
      'note.js': 'ran = 1',
      'note.html': html,
      note: html,
    };
    const files = Object.entries({ ...shown, ...notShown });
    for (const [file, text] of files) writeFileSync(path.join(evil, file), text);
    const server = await serveReports(parent, undefined);
    t.after(() => server.close());
    const page = await newPage(opened);
    t.after(() => page.close());
    for (const [file] of files) {
      const address = `${server.address}evil/${file}`;
      assert.equal((await fetch(address)).status, file in shown ? 200 : 404, file);
      // A table is downloaded: then no page comes, however long it is waited for.
      const isDownloaded = file.endsWith('.csv');
      const timeout = isDownloaded ? downloadMs : startLimitMs;
      const loaded = page.goto(address, { waitUntil: 'load', timeout });
      await (isDownloaded ? loaded.catch(() => undefined) : loaded);
      assert.equal(await inPage(page, `window.ran ?? null`), null, file);
      assert.notEqual(await page.title(), 'ran', file);
    }
  });

  test('our own pages work as they do by double click: charts, filters, choices, saved files, links, news of a run', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const parent = tempFolder(t);
    await makeRun(parent, 'monday night', 1.1);
    await makeRun(parent, 'tuesday', 1.2);
    const server = await serveReports(parent, undefined);
    t.after(() => server.close());
    const { page, complaints } = await openAddress(opened, server.address, { ownServer: server.address });
    t.after(() => page.close());
    await page.click('#rows a[href="monday%20night/report.html"]');
    await page.waitForSelector('#comparison-table');
    await drawCharts(page);
    const canvases = await inPage<number>(page, `document.querySelectorAll('canvas[data-drawn]').length`);
    assert.ok(canvases > 0, 'charts are drawn');
    await inPage(page, `document.getElementById('theme').click()`);
    await page.waitForFunction(`location.hash.includes('theme=light')`);
    await inPage(page, `document.querySelector('#filters button[type="reset"]').click()`);
    await rowsInPlace(page);
    if (name === 'best') await savesFiles(t, page);
    await page.reload({ waitUntil: 'load' });
    assert.match(await textOf(page, '#theme'), /Theme: light$/);
    await page.goto(`${server.address}monday%20night/`, { waitUntil: 'load' });
    await page.waitForFunction(
      `document.querySelector('#state').textContent.startsWith('All 32 trials done')`,
    );
    await page.click('#report-link a');
    await page.waitForSelector('#comparison-table');
    await page.goto(server.address, { waitUntil: 'load' });
    await page.click('#rows input[data-folder="tuesday"]');
    await page.click('#rows input[data-folder="monday night"]');
    await page.click('#compare-two a');
    await page.waitForSelector('#contrasts');
    assert.deepEqual(complaints, []);
  });
});

/** A figure is saved as a file by its own button. */
async function savesFiles(t: TestContext, page: Page): Promise<void> {
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: tempFolder(t),
    eventsEnabled: true,
  });
  const names: string[] = [];
  session.on('Browser.downloadWillBegin', ({ suggestedFilename }) => names.push(suggestedFilename));
  const press = (words: string): Promise<unknown> =>
    inPage(
      page,
      `[...document.querySelector('figure:has(> .chart)').querySelectorAll('.tools button')].find((one) => one.textContent === '${words}').click()`,
    );
  for (const [words, form] of [
    ['Save SVG', /\.svg$/],
    ['Save PNG', /\.png$/],
  ] as const) {
    await press(words);
    await waitUntil(`${words} gives a file`, startLimitMs, () => names.some((one) => form.test(one)));
  }
}
