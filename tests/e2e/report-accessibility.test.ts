import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { explainedSummary } from '../support/diagnosis-fixture.ts';
import { drawCharts, openReport } from '../support/opened-report.ts';
import { pageLoadFixture } from '../support/page-load-fixture.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { summaryFixture } from '../support/summary-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';

const widthsPx = [1440, 900, 390];
const schemes = ['light', 'dark'] as const;

describe('the report for everybody', () => {
  let browser: Browser | string;
  let text: string;

  before(async () => {
    browser = await openReportBrowser('best');
    text = await renderHtmlReport(
      explainedSummary(summaryFixture({ pages: 5, pageMetrics: 4, blocks: 6, networks: ['none', 'lossy'] })),
      { pageLoads: ['h2', 'h3'].map((arm) => pageLoadFixture({ arm })) },
    );
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
  });

  for (const widthPx of widthsPx) {
    for (const scheme of schemes) {
      test(`axe finds no violation, ${widthPx} px, ${scheme}, and nothing is wider than the screen`, async (t) => {
        if (typeof browser === 'string') {
          t.skip(browser);
          return;
        }
        const { page } = await openReport(browser, tempFolder(t), text, { widthPx });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.click('.open-row');
        await page.click('#effect-plots summary');
        await drawCharts(page);
        assert.deepEqual(await axeViolations(page, scheme), []);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), widthPx);
        await page.close();
      });
    }
  }

  test('everything that a pointer can do the keyboard can do', async (t) => {
    if (typeof browser === 'string') {
      t.skip(browser);
      return;
    }
    const { page } = await openReport(browser, tempFolder(t), text);
    const reached: string[] = [];
    for (let i = 0; i < 400; i += 1) {
      await page.keyboard.press('Tab');
      const name = (await page.evaluate(
        "document.activeElement.id || document.activeElement.getAttribute('class') || document.activeElement.tagName",
      )) as string;
      if (name === 'BODY') break;
      reached.push(name);
    }
    for (const part of ['skip', 'theme', 'score', 'sort', 'open-row', 'copy-table', 'copy-command']) {
      assert.ok(
        reached.some((name) => name.split(' ').includes(part)),
        `${part} is reached by Tab: ${[...new Set(reached)].join(', ')}`,
      );
    }
    await page.focus('.open-row');
    await page.keyboard.press('Enter');
    await page.waitForSelector('tr.detail canvas[data-drawn]');
    await page.close();
  });
});
