import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { harOf } from '../../harness/clients/browsers/chromium/har.ts';
import { renderHar } from '../../reports/har/render-har.ts';
import { inPage } from '../support/opened-report.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { loggedRequest } from '../unit/harness/clients/browsers/chromium/logged-request.ts';

const viewer = createRequire(import.meta.url).resolve('perf-cascade/dist/perf-cascade.min.js');

const loaded = {
  url: 'https://a.test/',
  domContentSeconds: 100.3,
  loadSeconds: 100.5,
  timeOriginEpochMs: null,
  browser: { name: 'Chrome', version: '156.0' },
};

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
    const requests = ['https://a.test/', ...Array.from({ length: 29 }, (_, i) => `https://a.test/${i}.js`)];
    const har = renderHar(
      await harOf(
        loaded,
        requests.map((url, i) =>
          loggedRequest(url, { finishedAfterMs: 50 + i, ...(i === 0 ? { initiator: 'other' } : {}) }),
        ),
      ),
    );
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
