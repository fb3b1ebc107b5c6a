import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { studiesOf, type StudiesPage } from '../../src/app/studies/studies-page.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { inPage, openReport } from '../support/opened-report.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Of a phone; with everything unfolded the page may be so high. */
const widthPx = 390;
const maxHeightPx = 30_000;

const unfold = `document.querySelectorAll('details').forEach((each) => { each.open = true; })`;

interface Size {
  readonly heightPx: number;
  readonly widthPx: number;
}
const size = `({ heightPx: document.documentElement.scrollHeight, widthPx: document.documentElement.scrollWidth })`;

describe('the page of all studies on a phone', () => {
  let browser: Browser | string;
  before(async () => {
    browser = await openReportBrowser('best');
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
  });

  test(`is at most ${maxHeightPx} px high with everything unfolded, no wider than the screen, and says every result`, async (t) => {
    if (typeof browser === 'string') {
      t.skip(browser);
      return;
    }
    const folder = tempFolder(t);
    const { studies, pagePath }: StudiesPage = await studiesOf({ out: folder });
    const { page, complaints } = await openReport(browser, tempFolder(t), readFileSync(pagePath, 'utf8'), {
      widthPx,
    });
    await page.evaluate(unfold);
    const unfolded = await inPage<Size>(page, size);
    assert.ok(unfolded.heightPx <= maxHeightPx, `${unfolded.heightPx} px high`);
    assert.equal(unfolded.widthPx, widthPx);
    const text = await inPage<string>(page, 'document.body.textContent');
    const said = studies.experiments.flatMap(({ results, differs = '', missing = [] }) => [
      differs,
      ...missing,
      ...results.flatMap(({ experiment, figure, ours, price = '' }) => [
        experiment,
        figure,
        price,
        ...ours.flatMap((each) => [each.text, each.place, each.acrossCampaigns?.text ?? '']),
      ]),
    ]);
    assert.ok(said.length > 500, `${said.length} facts`);
    assert.deepEqual(
      said.filter((fact) => !text.includes(fact)),
      [],
    );
    for (const scheme of ['light', 'dark'] as const) assert.deepEqual(await axeViolations(page, scheme), []);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
