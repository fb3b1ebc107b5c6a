import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { verdictTitles } from '../../reports/format/verdict-words.ts';
import { mediansAgree } from '../../src/core/model/medians.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { patternFixture, qualityFixture } from '../support/pattern-fixture.ts';
import { pageLoadFixture } from '../support/page-load-fixture.ts';
import { afterPaint, drawCharts, inPage, openReport, rowsInPlace, textOf } from '../support/opened-report.ts';
import { describeInReportBrowsers } from '../support/report-browser.ts';
import { summaryFixture } from '../support/summary-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The table shows its rows in portions: asks for more until there are none. */
async function showAllRows(page: Page): Promise<void> {
  await rowsInPlace(page);
  while (await inPage<boolean>(page, `!document.querySelector('#more-rows').hidden`)) {
    await page.click('#more-rows');
    await rowsInPlace(page);
  }
}

/** The text of each column of each row that passes the filters, in the page's order. */
async function shownRows(page: Page): Promise<{ id: string; cells: string[] }[]> {
  await showAllRows(page);
  return inPage(
    page,
    `[...document.querySelectorAll('#comparison-table tbody tr:not(.detail):not([hidden])')].map((row) => ({
      id: row.id,
      cells: [...row.children].map((cell) => cell.innerText.trim()),
    }))`,
  );
}

/** `−5.3 %`, `+120 ms`, `12 345 ms`: the number that a reader sees. */
function numberIn(text: string): number {
  return Number.parseFloat(text.replaceAll('\u202f', '').replaceAll('\u2212', '-').replace('+', ''));
}

function assertShown(comparison: Comparison, cells: readonly string[]): void {
  const [, , baseline = '', candidate = '', change = '', , n = '', p = '', verdict = ''] = cells;
  const near = (shown: string, value: number, places: number): void => {
    const allowed = Math.max(Math.abs(value) * 0.006, places);
    assert.ok(
      Math.abs(numberIn(shown) - value) <= allowed,
      `${shown} is not ${value} (${comparison.metric})`,
    );
  };
  near(baseline, comparison.baseline.median ?? NaN, 0.001);
  // A median that says another change than the blocks do is not shown.
  if (mediansAgree(comparison)) near(candidate, comparison.candidate.median ?? NaN, 0.001);
  else assert.equal(candidate, '–');
  const [effect = '', interval = ''] = change.split('\n').filter(Boolean);
  const shownOf = (value: number): number => (comparison.ratio === null ? value : (value - 1) * 100);
  // One decimal below 10 %, none from there on; differences have three digits.
  const half = (value: number): number =>
    comparison.ratio !== null && Math.abs(value) >= 9.9 ? 0.51 : 0.051;
  const [low, high] = (comparison.ratioInterval ?? comparison.differenceInterval) as [number, number];
  const estimate = shownOf(comparison.ratio ?? comparison.difference ?? NaN);
  near(effect, estimate, half(estimate));
  near(interval.split(' to ')[0] ?? '', shownOf(low), half(shownOf(low)));
  near(interval.split(' to ')[1] ?? '', shownOf(high), half(shownOf(high)));
  assert.equal(Number(n), comparison.blocks);
  near(p, comparison.adjustedPValue ?? NaN, 0.011);
  assert.ok(verdict.endsWith(verdictTitles[comparison.verdict]), verdict);
}

describeInReportBrowsers('the report', (available) => {
  const summary: Summary = summaryFixture({ blocks: 8 });

  test('opens from a file, draws every chart, and asks the network for nothing', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const { page, complaints } = await openReport(opened, tempFolder(t), await renderHtmlReport(summary));
    await page.click('#distribution-plots .more');
    await drawCharts(page);
    const painted = await inPage<{ count: number; label: string }[]>(page, paintedPixels);
    assert.ok(painted.length >= 16, `${painted.length} charts`);
    for (const { count, label } of painted) {
      assert.ok(count > 500, `blank: ${label}`);
      assert.ok(label.length > 20, 'every chart has words');
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('draws grids, bandwidths, bitrates, ladders, pages and visual progress, each with its sentence', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const pageLoads = [2, 5].flatMap((blockIndex) =>
      ['h2', 'h3'].map((arm) => pageLoadFixture({ arm, blockIndex, frames: true })),
    );
    const quality = await renderHtmlReport(qualityFixture(), { pageLoads, hars: pageLoads });
    for (const [text, selectors] of [
      [quality, ['#quality-plots', '#corpus-plots', '#inside-plots', '#effect-plots']],
      [await renderHtmlReport(patternFixture()), ['#grid-plots', '#sweep-plots']],
    ] as const) {
      const { page, complaints } = await openReport(opened, tempFolder(t), text);
      await drawCharts(page);
      const painted = await inPage<{ count: number; label: string }[]>(page, paintedPixels);
      for (const { count, label } of painted) assert.ok(count > 500, `blank: ${label}`);
      for (const selector of selectors) {
        const labels = await inPage<string[]>(
          page,
          `[...document.querySelectorAll('${selector} canvas')].map((canvas) => canvas.getAttribute('aria-label'))`,
        );
        assert.ok(labels.length > 0, selector);
        for (const label of labels) assert.match(label, /\d/, 'every chart has a sentence with its figures');
      }
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });

  test('any other block of a page load can be chosen, and its HAR stands beside the report', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const pageLoads = [2, 5].flatMap((blockIndex) =>
      ['h2', 'h3'].map((arm) => pageLoadFixture({ arm, blockIndex, frames: true })),
    );
    const text = await renderHtmlReport(summary, { pageLoads, hars: pageLoads });
    const { page, complaints } = await openReport(opened, tempFolder(t), text);
    const hars = `[...document.querySelectorAll('#inside-plots .tools a')].map((link) => link.getAttribute('href'))`;
    assert.deepEqual(await inPage(page, hars), ['har/trial-page-1-2-h2.har', 'har/trial-page-1-2-h3.har']);
    assert.match(await textOf(page, '#inside-plots figcaption'), /Block 3.*85 % painted at 0\.46 s/);
    await page.select('#inside-choice select', '2. closest');
    assert.deepEqual(await inPage(page, hars), ['har/trial-page-1-5-h2.har', 'har/trial-page-1-5-h3.har']);
    assert.match(
      await inPage<string>(page, `document.querySelector('#inside-plots .wf-row').title`),
      /HTTP\/2: .* h2, priority High\nHTTP\/3: .* h3, priority High/,
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('shows the numbers of the summary', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const { page } = await openReport(opened, tempFolder(t), await renderHtmlReport(summary));
    await page.click('#filters button[type="reset"]');
    const rows = await shownRows(page);
    assert.equal(rows.length, summary.comparisons.length);
    const primaryFirst = summary.comparisons.toSorted((a, b) => Number(b.primary) - Number(a.primary));
    rows.forEach(({ cells }, i) => assertShown(primaryFirst[i] as Comparison, cells));
    assert.equal((await textOf(page, 'h1')).replaceAll('\u00a0', ' '), summary.firstScreen.headline);
    await page.close();
  });

  test('sorts by number in both directions and filters by word, verdict and metric', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const { page, complaints } = await openReport(opened, tempFolder(t), await renderHtmlReport(summary));
    await page.click('#filters button[type="reset"]');
    const pColumn = 7;
    for (const direction of [1, -1]) {
      await page.click(`#comparison-table th:nth-child(${pColumn + 1}) button`);
      const values = (await shownRows(page)).map(({ cells }) => numberIn(cells[pColumn] ?? ''));
      const sorted = values.toSorted((a, b) => (a - b) * direction);
      assert.deepEqual(values, sorted);
    }
    await page.select('#filters select[name="verdict"]', 'worse');
    const worse = summary.comparisons.filter(({ verdict }) => verdict === 'worse');
    assert.equal((await shownRows(page)).length, worse.length);
    await page.select('#filters select[name="metric"]', 'pltMs');
    assert.equal((await shownRows(page)).length, worse.filter(({ metric }) => metric === 'pltMs').length);
    await page.type('#filters input[type="search"]', 'no such thing');
    assert.equal((await shownRows(page)).length, 0);
    assert.match(await textOf(page, '#shown'), /^No comparison fits/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a permanent link opens its comparison although the filters would hide it', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const text = await renderHtmlReport(summary);
    const { page, complaints } = await openReport(opened, tempFolder(t), text, { hash: '#c-page-3-lcpms' });
    const detail = await textOf(page, '#c-page-3-lcpms + tr.detail');
    assert.match(detail, /Largest contentful paint/);
    assert.equal(await inPage(page, `document.querySelector('#c-page-3-lcpms').hidden`), false);
    await page.waitForSelector('tr.detail canvas[data-drawn]');
    const links = await inPage<string[]>(
      page,
      `[...document.querySelectorAll('a[href^="#"]')].map(({ hash }) => hash.slice(1).split('?')[0])`,
    );
    assert.ok(links.length > 60);
    await page.click('#filters button[type="reset"]');
    await showAllRows(page);
    const missing = await inPage<string[]>(
      page,
      `${JSON.stringify(links)}.filter((id) => document.getElementById(id) === null)`,
    );
    assert.deepEqual(missing, []);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('changes its theme and its plots on choice without a complaint', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const { page, complaints } = await openReport(opened, tempFolder(t), await renderHtmlReport(summary));
    const ground = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const grounds = [];
    for (let i = 0; i < 3; i += 1) {
      await page.click('#theme');
      await afterPaint(page);
      grounds.push(await ground());
    }
    assert.notEqual(grounds[0], grounds[1]);
    await page.select('#effect-choice select', 'Video: Start-up delay');
    await page.waitForFunction(
      `document.querySelector('#effect-plots').textContent.includes('Start-up delay')`,
    );
    await page.select('#distribution-choice select', 'Page Cobalt 3');
    await page.select('#session-choice select', '2. closest');
    await drawCharts(page);
    await page.click('#distribution-plots summary');
    await page.waitForSelector('#distribution-plots .values td');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('shows words and no blank chart where nothing was measured', async (t) => {
    const opened = available(t);
    if (!opened) return;
    for (const poor of [
      unmeasured(summary),
      { ...summary, comparisons: [], sessions: [], environment: null },
    ]) {
      const { page, complaints } = await openReport(opened, tempFolder(t), await renderHtmlReport(poor));
      await drawCharts(page);
      const painted = await inPage<{ count: number; label: string }[]>(page, paintedPixels);
      assert.deepEqual(
        painted.filter(({ count }) => count < 500),
        [],
      );
      assert.ok((await inPage<number>(page, `document.querySelectorAll('.empty').length`)) > 0);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });

  test('shows both arms of a page load from inside, with every request in words', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const pageLoads = ['h2', 'h3'].map((arm) =>
      pageLoadFixture({ arm, pathPrefix: '"><img src=x onerror=pwned()>/' }),
    );
    const { page, complaints } = await openReport(
      opened,
      tempFolder(t),
      await renderHtmlReport(summary, { pageLoads }),
    );
    assert.equal(await inPage(page, `document.querySelectorAll('#inside-plots .wf-track').length`), 60);
    assert.match(
      await inPage<string>(page, `document.querySelector('#inside-plots .wf').getAttribute('aria-label')`),
      /load event after 480 ms, 30 requests \(h2\), 30 kB over 2/,
    );
    await page.click('#inside-plots summary');
    await page.waitForSelector('#inside-plots .values td');
    assert.equal(await inPage(page, `document.querySelectorAll('img').length`), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a hostile title, reason, warning or name cannot run script', async (t) => {
    const opened = available(t);
    if (!opened) return;
    const { page, complaints } = await openReport(
      opened,
      tempFolder(t),
      await renderHtmlReport(hostile(summary)),
    );
    await page.click('#filters button[type="reset"]');
    // The reset makes the rows anew, and each opened row moves those below it.
    await rowsInPlace(page);
    for (const opener of (await page.$$('.open-row')).slice(0, 3)) {
      await opener.click();
      await afterPaint(page);
    }
    await drawCharts(page);
    const found = (await page.evaluate(`({
        ran: 'pwned' in globalThis,
        foreign: document.querySelectorAll('img, iframe, object, [onload], [onerror], [onclick]').length,
        scripts: document.querySelectorAll('script').length,
        title: [...document.querySelectorAll('#comparison-table tbody th')].at(-1).textContent,
      })`)) as { ran: boolean; foreign: number; scripts: number; title: string };
    assert.equal(found.ran, false);
    assert.equal(found.foreign, 0);
    assert.match(found.title, /^<img src=x/, 'the attack is shown as text');
    assert.equal(found.scripts, 5);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

/** How many pixels of each chart are not empty, and its words. */
const paintedPixels = `[...document.querySelectorAll('canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) count += 1;
  return { count, label: canvas.getAttribute('aria-label') };
})`;

/** The summary of a run in which nothing could be measured. */
function unmeasured(summary: Summary): Summary {
  const nothing = { n: 0, median: null, quartiles: null, minimum: null, maximum: null };
  return {
    ...summary,
    comparisons: summary.comparisons.map((comparison) => ({
      ...comparison,
      baseline: { ...comparison.baseline, ...nothing },
      candidate: { ...comparison.candidate, ...nothing },
      blocks: 0,
      ratio: null,
      ratioInterval: null,
      difference: null,
      differenceInterval: null,
      pValue: null,
      adjustedPValue: null,
      cliffsDelta: null,
      verdict: 'inconclusive' as const,
      values: comparison.values.map(([block]) => [block, null, null] as [number, null, null]),
    })),
    sessions: summary.sessions.map((session) => ({
      ...session,
      chunks: [],
      bufferLevelSeconds: [],
      stalls: [],
      startupDelayMs: null,
    })),
  };
}

const attack = `</script><script>globalThis.pwned=1</script><img src=x onerror="globalThis.pwned=1">'"><svg onload=alert(1)>\u2028<!--`;

/** The summary with an attack in every text that comes from outside. */
function hostile(summary: Summary): Summary {
  const { environment } = summary;
  return {
    ...summary,
    headline: [attack, attack],
    firstScreen: { ...summary.firstScreen, headline: attack, detail: attack },
    run: { ...summary.run, name: attack, command: attack, arms: [attack, 'h3'] },
    workloads: summary.workloads.map((workload) => ({
      ...workload,
      title: `<img src=x onerror=alert(${workload.id.length})>`,
    })),
    comparisons: summary.comparisons.map((comparison) => ({
      ...comparison,
      reason: attack,
      warnings: [attack],
      unit: `${comparison.unit}${attack}`,
      server: attack,
    })),
    troubles: summary.troubles.map((trial) => ({
      ...trial,
      trialId: attack,
      reason: attack,
      har: attack,
      arm: attack,
    })),
    sessions: summary.sessions.map((session) => ({ ...session, trialId: attack, network: attack })),
    warnings: [attack],
    environment: environment && {
      ...environment,
      clients: environment.clients.map((client) => ({ ...client, name: attack, version: attack })),
      servers: environment.servers.map((server) => ({
        ...server,
        name: attack,
        tcpCongestionControl: attack,
      })),
      networks: environment.networks.map((network) => ({ ...network, description: attack })),
      packages: { [attack]: attack },
    },
  };
}
