import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { explainedSummary } from '../support/diagnosis-fixture.ts';
import { afterPaint, drawCharts, inPage, openReport, textOf } from '../support/opened-report.ts';
import { openReportBrowser, reportBrowsers } from '../support/report-browser.ts';
import { summaryFixture } from '../support/summary-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Drawn {
  readonly names: readonly string[];
  readonly fills: readonly string[];
  readonly widths: readonly number[];
}

/** The frames of the flame graph as they are painted, the widest first. */
const frames = `(() => {
  const all = [...document.querySelectorAll('.flame-graph g.frame')].map((frame) => ({
    name: frame.getAttribute('aria-label').split(':')[0],
    fill: getComputedStyle(frame.querySelector('rect')).fill,
    width: frame.getBoundingClientRect().width,
  })).sort((a, b) => b.width - a.width);
  return { names: all.map(({ name }) => name), fills: all.map(({ fill }) => fill), widths: all.map(({ width }) => width) };
})()`;

/** The dashes of the entries of each legend; connections of an arm share one. */
const dashesOfLegends = `[...document.querySelectorAll('#why canvas')].map((canvas) =>
  Chart.getChart(canvas).legend.legendItems.map(({ lineDash }) => lineDash.join(' ')))`;

const focused = `document.activeElement.getAttribute('aria-label')?.split(':')[0] ?? ''`;

for (const name of reportBrowsers)
  test(`a worse verdict leads to its time lines and flame graphs, by pointer and by keyboard (${name})`, async (t) => {
    const browser = await openReportBrowser(name);
    if (typeof browser === 'string') return t.skip(browser);
    t.after(() => browser.close());
    const text = await renderHtmlReport(explainedSummary(summaryFixture({ pages: 2, blocks: 6 })));
    const { page, complaints } = await openReport(browser, tempFolder(t), text);
    await page.click('#comparison-table a[href^="#why-"]');
    assert.match(await inPage<string>(page, 'location.hash'), /^#why-pooled/);
    await drawCharts(page);
    await page.waitForSelector('#why g.frame[role="button"]');
    const labels = await inPage<string[]>(
      page,
      `[...document.querySelectorAll('#why canvas')].map((canvas) => canvas.getAttribute('aria-label'))`,
    );
    assert.equal(labels.length, 4, labels.join('\n'));
    for (const [place, words] of [
      /at most 3\.24 MB in flight, window up to 5\.04 MB.*4 connections that carried less left out/,
      /HTTP\/2: 20 to 26 ms/,
      /HTTP\/3: 8 packets/,
      /HTTP\/3: 3 datagrams dropped/,
    ].entries())
      assert.match(labels[place] ?? '', words);
    const legends = await inPage<string[][]>(page, dashesOfLegends);
    assert.deepEqual(
      legends.map((dashes) => [dashes.length, new Set(dashes).size]),
      [
        [4, 4],
        [2, 2],
        [2, 2],
        [1, 1],
      ],
      'lines of a plot differ by their dashes',
    );

    const difference = await inPage<Drawn>(page, frames);
    assert.ok(difference.names.includes('aes_gcm_decrypt') && difference.names.includes('tcp_recvmsg'));
    assert.ok(new Set(difference.fills).size > 2, 'frames are coloured by their difference');
    assert.ok(!difference.fills.includes('rgb(0, 0, 0)') && !difference.fills.includes('none'));
    const pressed = '.flame-views button:nth-child(2)';
    await page.click(pressed);
    await afterPaint(page);
    const baseline = await inPage<Drawn>(page, frames);
    assert.ok(!baseline.names.includes('aes_gcm_decrypt'), 'HTTP/2 alone has none of it');
    assert.equal(
      await inPage(page, `document.querySelector('${pressed}').getAttribute('aria-pressed')`),
      'true',
    );

    await inPage(page, `document.querySelector('.flame-graph g.frame[tabindex="0"]').focus()`);
    await page.keyboard.press('ArrowDown');
    assert.equal(await inPage(page, focused), 'NetworkService');
    await page.keyboard.press('ArrowRight');
    assert.equal(await inPage(page, focused), 'idle_work');
    assert.match(
      await textOf(page, '.flame-details'),
      /^idle_work: 60 ms .* with HTTP\/2, 60 ms .* with HTTP\/3/,
    );
    const widest = baseline.widths[0] ?? assert.fail();
    const narrow = baseline.widths[baseline.names.indexOf('idle_work')] ?? assert.fail();
    assert.ok(narrow < widest / 2);
    await page.keyboard.press('Enter');
    const isWide = `[...document.querySelectorAll('.flame-graph g.frame')].some((frame) =>
      frame.getAttribute('aria-label').startsWith('idle_work') && frame.getBoundingClientRect().width > ${widest / 2})`;
    await inPage(
      page,
      `(async () => { while (!(${isWide})) await new Promise((resolve) => setTimeout(resolve, 20)); })()`,
    );
    await page.keyboard.press('Escape');
    await inPage(
      page,
      `(async () => { while (${isWide}) await new Promise((resolve) => setTimeout(resolve, 20)); })()`,
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });
