import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTrendPage } from '../../../../../reports/html/history/render-trend-page.ts';
import type { Trend, TrendSeries } from '../../../../../src/model/history.ts';

const series = (protocol: string, changes: TrendSeries['changes']): TrendSeries => ({
  ...{ machineClass: 'machine <b>', family: 'chromium', build: 'full', protocol },
  ...{ workload: 'page-a', metric: 'pltMs', network: 'loopback', server: 'caddy' },
  nights: [{ night: '2026-01-01', version: '153', n: 12, median: 800, interval: [780, 820] }],
  versions: [{ night: '2026-01-01', version: '153', n: 12, median: 800, interval: null }],
  changes,
});

const change = { night: '2026-01-09', version: '154', before: 800, after: 900, pValue: 0.002 };
const trend: Trend = {
  generatedAt: '2026-01-20T00:00:00Z',
  nights: [
    { night: '2026-01-01', state: 'complete', note: '', folder: 'a' },
    { night: '2026-01-02', state: 'missed', note: 'nothing ran', folder: null },
    { night: '2026-01-03', state: 'half', note: '</script><b>', folder: 'b' },
  ],
  series: [series('h2', []), series('h3', [change])],
};

test('the page names the night of a change, every night that is not complete, and asks the network for nothing', async () => {
  const page = await renderTrendPage(trend, { runsPage: 'index.html' });
  assert.match(page, /page-a: Page load time over HTTP\/3: worse since 2026-01-09 \(version 154\)/);
  assert.match(page, /1 complete night of 3/);
  assert.match(page, /<td>2026-01-02<\/td><td>missed<\/td><td>nothing ran<\/td>/);
  assert.match(page, /default-src &#39;none&#39;|default-src 'none'/);
  assert.doesNotMatch(page, /<script[^>]* src=|<link[^>]* href="http|machine <b>/);
  assert.equal(page.match(/<\/script><b>/), null);
});

test('versions that were measured in one night are shown by version at first', async () => {
  const one = series('h3', []);
  const [point] = one.versions;
  assert.ok(point);
  const several = { ...one, versions: [point, { ...point, version: '154' }] };
  assert.match(await renderTrendPage({ ...trend, series: [several] }), /<option value="versions" selected>/);
  assert.doesNotMatch(await renderTrendPage(trend), /<option value="versions" selected>/);
});

test('a history without runs is a page as well', async () => {
  const page = await renderTrendPage({ generatedAt: '2026-01-20T00:00:00Z', nights: [], series: [] });
  assert.match(page, /No night yet/);
  assert.match(page, /No change of level was found/);
});
