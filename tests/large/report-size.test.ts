import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { summaryFixture } from '../support/summary-fixture.ts';

test('4 000 trials of 100 pages make a page below 3 MB in less than 5 s of CPU time', async () => {
  const summary = summaryFixture({ pages: 100, blocks: 20, videos: 0, downloads: 0 });
  let text = '';
  const tookMs = await cpuMsOf(async () => (text = await renderHtmlReport(summary)));
  assert.ok(tookMs < 5000, `${tookMs} ms`);
  assert.ok(Buffer.byteLength(text) < 3_000_000);
});

test('20 000 trials make a page below 6 MB that says what it left out of the plots', async () => {
  const summary = summaryFixture({ pages: 500, blocks: 20, videos: 0, downloads: 0 });
  const text = await renderHtmlReport(summary);
  assert.ok(Buffer.byteLength(text) < 6_000_000);
});

test('400 video sessions make a page below 3 MB', async () => {
  const text = await renderHtmlReport(summaryFixture({ pages: 0, downloads: 0, videos: 10, blocks: 20 }));
  assert.ok(Buffer.byteLength(text) < 3_000_000);
});
