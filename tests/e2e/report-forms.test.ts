import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { renderRunComparison } from '../../reports/html/compare/render-run-comparison.ts';
import { renderTrendPage } from '../../reports/html/history/render-trend-page.ts';
import { compareRuns } from '../../src/analyse/compare-runs/compare-runs.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import { publishIndex } from '../../src/app/report/publish-index.ts';
import { writeReports, writeSummary } from '../../src/app/report/publish.ts';
import { serveReport, serveReports } from '../../src/app/serve/serve-report.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../src/store/run-lock.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateRun } from '../support/generated-run.ts';
import { drawCharts, inPage, openAddress, rowsInPlace, textOf } from '../support/opened-report.ts';
import { writeLargeReport } from '../support/large-report.ts';
import { describeInReportBrowsers } from '../support/report-browser.ts';
import { trendFixture } from '../support/trend-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';

const environment = environmentFixture(['chromium'], ['host']);
const narrowPx = 320;
/** No file of a report is larger. */
const maxBytes = 3_000_000;
/** Elements before the scripts of a first page; 10 200 of them were laid out and painted in 0.3 s on two slow cores. */
const maxElements = 15_000;

const fileOf = (folder: string, name: string): string => pathToFileURL(path.join(folder, name)).href;

/** Files that links of the page lead to and that are not there. */
async function deadLinks(page: Page): Promise<string[]> {
  const links = await inPage<string[]>(page, `[...document.querySelectorAll('a[href]')].map((a) => a.href)`);
  assert.ok(links.length > 0);
  return links.filter((link) => {
    const url = new URL(link);
    url.hash = '';
    return url.protocol === 'file:' && !existsSync(fileURLToPath(url));
  });
}

const violationsIn = async (page: Page): Promise<string[]> => [
  ...(await axeViolations(page, 'light')),
  ...(await axeViolations(page, 'dark')),
];

/** How wide the page is, and what reaches beyond the window. */
const tooWide = `({
  width: document.documentElement.scrollWidth,
  wide: [...document.querySelectorAll('body *')]
    .filter((one) => one.closest('.scroll') === null && one.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 5)
    .map((one) => one.tagName + '.' + one.className),
})`;

async function isNarrow(page: Page): Promise<void> {
  await page.setViewport({ width: narrowPx, height: 740 });
  // Firefox's scroll bar takes its own room.
  const { width, wide } = await inPage<{ width: number; wide: string[] }>(page, tooWide);
  assert.ok(width <= narrowPx, `${page.url()} is ${width} px wide: ${wide.join(', ')}`);
  // Rows of comparisons are cards there, and long names break: neither is cut nor lies on its neighbour.
  const cut = `[...document.querySelectorAll('.scroll:has(> .comparisons), .scorecard tbody th')].filter((one) => one.scrollWidth > one.clientWidth + 1).length`;
  assert.equal(await inPage(page, cut), 0, page.url());
}

/** A finished run, an unfinished one with a journal cut in the middle of a line, and one of which nothing is valid. */
async function makeRuns(parent: string): Promise<void> {
  for (const [name, slowdown] of [
    ['monday', 1],
    ['tuesday', 1.2],
  ] as const) {
    const { plan, records } = generateRun({
      seed: slowdown * 10,
      slowdown: { h3: slowdown },
      plan: { name: 'nightly' },
    });
    const directory = createRunDirectory(path.join(parent, name), plan);
    directory.writeEnvironment(environment);
    records.forEach((record) => directory.append(record));
    await writeReports(directory, writeSummary(directory), () => undefined);
  }
  const cut = generateRun({
    seed: 5,
    alter: (record) => ({ ...record, metrics: { pltMs: null, lcpMs: 1 } }),
  });
  const half = createRunDirectory(path.join(parent, 'half'), cut.plan);
  const lines = cut.records.slice(0, 9).map((record) => JSON.stringify(record));
  writeFileSync(
    path.join(half.path, 'journal.jsonl'),
    `${lines.join('\n')}\n${lines[0]?.slice(0, 80) ?? ''}`,
  );
  await writeReports(half, writeSummary(half), () => undefined);
  const bad = generateRun({
    seed: 6,
    alter: (record) => ({
      ...record,
      status: 'invalid',
      reason: '<img src=x onerror=alert(1)> came over h2',
      metrics: {},
    }),
  });
  const none = createRunDirectory(path.join(parent, 'none-valid'), bad.plan);
  bad.records.forEach((record) => none.append(record));
  await writeReports(none, writeSummary(none), () => undefined);
  await publishIndex(parent);
}

/** Comes to its end once a section far from the window is skipped, and its height is the one that it had. */
const skipsFarSections = `(async () => {
const far = document.querySelector('#environment');
const heightPx = far.offsetHeight;
scrollTo(0, 0);
document.adoptedStyleSheets = [];
const isSkipped = () => !far.firstElementChild.checkVisibility({ contentVisibilityAuto: true });
while (!isSkipped() || far.offsetHeight !== heightPx) await new Promise((resolve) => setTimeout(resolve, 20));
})()`;

describeInReportBrowsers('pages around the report', (available, name) => {
  test('100 pages × 20 blocks open as linked pages that can be read before any script or other file, and each link shows what it names', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const folder = tempFolder(t);
    const { summary, pages } = await writeLargeReport(folder);
    assert.ok(pages.length > 2, 'loads and sessions that the first page has no room for have pages');
    for (const { path: name, text } of pages)
      assert.ok(Buffer.byteLength(text) <= maxBytes, `${name} has ${Buffer.byteLength(text)} bytes`);
    // What makes the first paint early on any machine; how early it is, `npm run bench:report` measures.
    const [beforeScripts = ''] = (pages[0]?.text ?? '').split('<script');
    assert.match(beforeScripts, /<\/footer>/, 'all that is read stands before all scripts');
    const elements = beforeScripts.match(/<[a-z]/g)?.length ?? 0;
    assert.ok(elements <= maxElements, `${elements} elements are laid out for the first paint`);
    const { page, complaints } = await openAddress(opened, fileOf(folder, 'report.html'));
    const { firstPaintMs, readyMs, loadedMs, fetched } = await inPage<Opening>(page, openingOfPage);
    t.diagnostic(`first paint ${firstPaintMs} ms, interactive ${readyMs} ms`);
    assert.deepEqual(fetched, [], 'the first paint waits for no other file');
    assert.ok(readyMs <= loadedMs, `answers from ${readyMs} ms on, though loaded at ${loadedMs} ms`);
    // What keeps every interaction short: the table lays out a screen or two of rows, however many there are.
    await page.click('#filters button[type="reset"]');
    await rowsInPlace(page);
    const rows = await inPage<number>(page, `document.querySelectorAll('#comparison-table tbody tr').length`);
    assert.ok(rows > 0 && rows <= 50, `${rows} of ${summary.comparisons.length} rows are laid out`);
    await inPage(page, skipsFarSections);
    assert.deepEqual(await deadLinks(page), []);
    await isNarrow(page);
    const inside = await inPage<{ href: string; text: string }>(
      page,
      `(({ href, textContent }) => ({ href, text: textContent }))([...document.querySelectorAll('.part-contents a')].filter((a) => a.href.includes('inside-')).at(-1))`,
    );
    await page.goto(inside.href, { waitUntil: 'load' });
    assert.equal(await inPage(page, `document.querySelector('#inside-choice select').value`), inside.text);
    assert.equal(await inPage(page, `document.querySelectorAll('#inside-plots .wf-track').length`), 200);
    assert.deepEqual(await deadLinks(page), []);
    await isNarrow(page);
    const session = pathToFileURL(path.join(folder, 'report', 'sessions-1.html')).href;
    await page.goto(session, { waitUntil: 'load' });
    await drawCharts(page);
    assert.equal(await inPage(page, blankCanvases), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the list of runs, the comparison of two and reports of poor runs open, sort, filter and say what is missing', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const folder = tempFolder(t);
    await makeRuns(folder);
    const { page, complaints } = await openAddress(opened, fileOf(folder, 'index.html'));
    const names = (): Promise<string[]> =>
      inPage(
        page,
        `[...document.querySelectorAll('#rows tbody tr:not([hidden]) th small')].map((one) => one.textContent)`,
      );
    assert.equal((await names()).length, 4);
    await page.click('#rows th:nth-child(6) button');
    await page.click('#rows th:nth-child(6) button');
    assert.deepEqual((await names()).slice(0, 2).toSorted(), ['monday', 'tuesday']);
    await page.click('#rows input[value="tuesday"]');
    await page.click('#rows input[value="monday"]');
    assert.match(
      await textOf(page, '#compare-two code'),
      /^npx h2h3 compare (monday tuesday|tuesday monday)$/,
    );
    assert.ok(await inPage<boolean>(page, `!document.querySelector('#compare-two').hidden`));
    await page.type('#row-filter input[type="search"]', 'nightly worse');
    assert.deepEqual(await names(), ['tuesday']);
    assert.equal(await textOf(page, '#shown'), '1 of 4 runs.');
    assert.equal(await inPage(page, `document.querySelectorAll('.trend').length`), 1);
    assert.deepEqual(await deadLinks(page), []);
    await page.click('#rows tbody tr:not([hidden]) .find');
    assert.equal(await inPage(page, `document.querySelector('#row-filter input').value`), 'Web pages');
    assert.equal((await names()).length, 4, 'a tag takes the place of what was searched for');
    if (name === 'best') assert.deepEqual(await violationsIn(page), []);
    await isNarrow(page);
    await comparesByClicking(opened, folder);

    const summaryOf = (seed: number, slowdown: number): ReturnType<typeof summarise> => {
      const { plan, records } = generateRun({ seed, slowdown: { h3: slowdown } });
      return summarise(plan, records, environment, []);
    };
    const text = await renderRunComparison(
      compareRuns({ folder: 'a', summary: summaryOf(1, 1) }, { folder: '<b>', summary: summaryOf(2, 1.2) }),
    );
    writeFileSync(path.join(folder, 'compare.html'), text);
    await page.setViewport({ width: 1200, height: 800 });
    await page.goto(fileOf(folder, 'compare.html'), { waitUntil: 'load' });
    assert.match(
      (await textOf(page, 'h1')).replaceAll('\u00a0', ' '),
      /^Not decided: HTTP\/3 came out \d+ % slower in run B than in run A\.$/,
    );
    await page.select('#row-filter select[name="what"]', 'gap, ');
    await page.select('#row-filter select[name="verdict"]', 'not decided');
    const verdicts = await inPage<string[]>(
      page,
      `[...document.querySelectorAll('#rows tbody tr:not([hidden]) .verdict')].map((one) => one.textContent)`,
    );
    assert.ok(verdicts.length > 0 && verdicts.every((one) => /not decided/.test(one)));
    if (name === 'best') assert.deepEqual(await violationsIn(page), []);
    await isNarrow(page);

    for (const [run, words] of [
      [
        'half',
        [/not a whole line of JSON/, /environment\.json is missing/, /has not run|have not run|did not run/],
      ],
      ['none-valid', [/None of the 32 trials run is valid/, /came over h2/]],
    ] as const) {
      await page.goto(fileOf(path.join(folder, run), 'report.html'), { waitUntil: 'load' });
      await drawCharts(page);
      assert.equal(await inPage(page, blankCanvases), 0, run);
      const all = await textOf(page, 'main');
      for (const expected of words) assert.match(all, expected, run);
      await isNarrow(page);
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the history leads with the gap of each version, fits a phone, and keeps its choices in the address', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const folder = tempFolder(t);
    writeFileSync(path.join(folder, 'history.html'), await renderTrendPage(trendFixture()));
    const { page, complaints } = await openAddress(opened, fileOf(folder, 'history.html'));
    assert.match(
      await textOf(page, 'h1'),
      /HTTP\/3 is 2\d.% worse than HTTP\/2 in 154\.0\.3\. It was 6\.\d.% better in 153/,
    );
    await page.select('#trend-by', 'versions');
    await page.type('#trend-filter', 'basket largest');
    const again = await openAddress(opened, page.url());
    assert.equal(await inPage(again.page, `document.querySelector('#trend-by').value`), 'versions');
    assert.match(await textOf(again.page, '#trend-shown'), /^1 series/);
    await drawCharts(again.page);
    assert.equal(await inPage(again.page, blankCanvases), 0);
    if (name === 'best') assert.deepEqual(await violationsIn(again.page), []);
    await isNarrow(again.page);
    assert.deepEqual([...complaints, ...again.complaints], []);
    await again.page.close();
    await page.close();
  });

  test('a run is followed while it goes on, and leads to its report at the end', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const { plan, records } = generateRun({
      plan: { name: '<i>live</i>' },
      alter: (record) => ({ ...record, host: `lab-${(record.blockIndex % 2) + 1}` }),
    });
    const directory = createRunDirectory(path.join(tempFolder(t), 'run'), plan);
    const release = lockRunDirectory(directory.path, process.pid);
    records.slice(0, 5).forEach((record) => directory.append(record));
    const server = await serveReport(directory.path, undefined);
    const { page, complaints } = await openAddress(opened, server.address, { ownServer: server.address });
    try {
      await page.waitForFunction(`document.querySelector('#state').textContent.startsWith('5 of 32')`);
      assert.equal(await textOf(page, '#run-name'), '<i>live</i>');
      await page.waitForFunction(`document.querySelectorAll('#host-rows tr').length === 2`);
      assert.match(await textOf(page, '#hosts'), /1 of 8 leases done · 1 under way · 0 lost/);
      assert.match(await textOf(page, '#host-rows'), /lab-1.*1 done.*lab-2.*1 under way/s);
      if (name === 'best') assert.deepEqual(await violationsIn(page), []);
      records.slice(5).forEach((record) => directory.append(record));
      await writeReports(directory, writeSummary(directory), () => undefined);
      release();
      await page.waitForFunction(`document.querySelector('#report-link a') !== null`);
      assert.match(await textOf(page, '#state'), /All 32 trials done/);
      await isNarrow(page);
      await page.click('#report-link a');
      await page.waitForSelector('#comparison-table');
      assert.deepEqual(complaints, []);
    } finally {
      await page.close();
      await server.close();
    }
  });
});

/** Two runs ticked in the list that a server shows lead to the page that compares them. */
async function comparesByClicking(browser: Browser, folder: string): Promise<void> {
  const server = await serveReports(folder, undefined);
  const { page, complaints } = await openAddress(browser, server.address, { ownServer: server.address });
  try {
    await page.click('#rows input[data-folder="tuesday"]');
    await page.click('#rows input[data-folder="monday"]');
    await page.click('#compare-two a');
    await page.waitForSelector('#contrasts');
    assert.match(await textOf(page, 'h1'), /from run A to run B|in run B than in run A|in both runs/);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    await server.close();
  }
}

interface Opening {
  readonly firstPaintMs: number;
  readonly readyMs: number;
  readonly loadedMs: number;
  /** Files that the page asked for. */
  readonly fetched: readonly string[];
}

/** How the page came to be read; its first paint is waited for. */
const openingOfPage = `(async () => {
  const startOf = (name) => performance.getEntriesByName(name)[0]?.startTime;
  while (startOf('first-contentful-paint') === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    firstPaintMs: startOf('first-contentful-paint'),
    readyMs: startOf('h2h3-ready'),
    loadedMs: performance.getEntriesByType('navigation')[0].loadEventStart,
    fetched: performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith('data:')),
  };
})()`;

/** Canvases on which nothing is drawn. */
const blankCanvases = `[...document.querySelectorAll('canvas')].filter((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return !data.some((value, i) => i % 4 === 3 && value !== 0);
}).length`;
