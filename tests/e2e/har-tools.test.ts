import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { renderHar } from '../../reports/har/render-har.ts';
import { inPage } from '../support/opened-report.ts';
import { pageLoadFixture } from '../support/page-load-fixture.ts';
import { openReportBrowser } from '../support/report-browser.ts';

const viewer = createRequire(import.meta.url).resolve('perf-cascade/dist/perf-cascade.min.js');

test('the HAR viewer PerfCascade draws a row for every request', async (t) => {
  const browser = await openReportBrowser('best');
  if (typeof browser === 'string') {
    t.skip(browser);
    return;
  }
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto('about:blank');
    await page.addScriptTag({ path: viewer });
    const { log } = pageLoadFixture({ arm: 'h3', requests: 30 }).har;
    const entries = log.entries.map((entry) => ({ ...entry, pageref: log.pages[0]?.id ?? '' }));
    const har = renderHar({ log: { ...log, entries } });
    const rows = await inPage<number>(
      page,
      `(() => {
        document.body.append(perfCascade.fromHar(${har}.log));
        return document.querySelectorAll('svg .row-item').length;
      })()`,
    );
    assert.equal(rows, 30);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
