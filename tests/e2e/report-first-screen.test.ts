import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { isNumber } from '../../reports/format/numbers.ts';
import { maxHeadlineCharacters } from '../../src/core/model/first-screen.ts';
import { inPage, openReport } from '../support/opened-report.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { badInputPages, screenPages } from '../support/screen-pages.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Screen {
  readonly headline: string;
  readonly title: string;
  readonly fontPx: number;
  /** Of the lowest pixel of headline, picture and next step; null: it is not there. */
  readonly bottoms: readonly (number | null)[];
  readonly foldPx: number;
  readonly widthPx: number;
}

const screen = `(() => {
  const bottom = (selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? null;
  const head = document.querySelector('h1');
  return {
    headline: head.textContent,
    title: document.title,
    fontPx: parseFloat(getComputedStyle(head).fontSize),
    bottoms: [bottom('h1'), bottom('#picture svg'), bottom('.answer-do')],
    foldPx: innerHeight,
    widthPx: document.documentElement.scrollWidth,
  };
})()`;

describe('the first screen', () => {
  let browser: Browser | string;
  before(async () => {
    browser = await openReportBrowser('best');
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
  });

  const sizes = [
    [1440, 900],
    [390, 844],
  ] as const;

  /** Opens a page, and looks at its first screen at both sizes, with scripts and without. */
  async function assertFirstScreen(t: TestContext, text: string, hasPicture: boolean): Promise<void> {
    if (typeof browser === 'string') {
      t.skip(browser);
      return;
    }
    const { page } = await openReport(browser, tempFolder(t), text);
    for (const scripts of [true, false]) {
      if (!scripts) {
        await page.setJavaScriptEnabled(false);
        await page.reload({ waitUntil: 'load' });
      }
      for (const [width, height] of sizes) {
        await page.setViewport({ width, height });
        const { headline, title, fontPx, bottoms, foldPx, widthPx } = await inPage<Screen>(page, screen);
        const plain = (words: string): string => words.replaceAll('\u00a0', ' ');
        assert.ok([...headline].length <= maxHeadlineCharacters, headline);
        assert.ok(fontPx >= 32, `${fontPx} px at ${width}`);
        assert.ok(widthPx <= width, `${widthPx} px wide at ${width}`);
        assert.ok(plain(title).startsWith(plain(headline)), title);
        const [head, picture, next] = bottoms;
        const seen = [head, next, ...(hasPicture ? [picture] : [])];
        assert.ok(
          seen.every((bottom) => isNumber(bottom) && bottom > 0 && bottom <= foldPx),
          `${bottoms.join(', ')} of ${foldPx} px at ${width}: ${headline}`,
        );
      }
    }
    await page.close();
  }

  for (const [name, render] of Object.entries(screenPages))
    test(`of ${name} holds headline, picture and next step at both sizes, with scripts and without`, async (t) => {
      await assertFirstScreen(t, await render(), true);
    });

  for (const [name, [hasPicture, render]] of Object.entries(badInputPages))
    test(`of ${name} holds headline and next step${hasPicture ? ' and picture' : ''} at both sizes`, async (t) => {
      await assertFirstScreen(t, await render(), hasPicture);
    });
});
