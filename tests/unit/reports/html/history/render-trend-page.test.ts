import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTrendPage } from '../../../../../reports/html/history/render-trend-page.ts';
import type { Trend, TrendSeries } from '../../../../../src/core/model/history.ts';

const series = (protocol: string, changes: TrendSeries['changes']): TrendSeries => ({
  machineClass: 'machine <b>',
  family: 'chromium',
  build: 'full',
  protocol,
  workload: 'page-a',
  metric: 'pltMs',
  network: 'loopback',
  server: 'caddy',
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
  series: [series('h2', []), series('h3', [change]), { ...series('h3', [change]), metric: 'lcpMs' }],
  gaps: [
    {
      machineClass: 'm',
      family: 'chromium',
      build: 'full',
      workload: 'page-a',
      kind: 'page',
      metric: 'pltMs',
      network: 'loopback',
      server: 'caddy',
      form: 'ratio',
      nights: [],
      versions: [
        { night: '2026-01-01', version: '153', n: 12, median: 1.04, interval: [1.02, 1.07] },
        { night: '2026-01-09', version: '154', n: 24, median: 1.123, interval: [1.1, 1.14] },
      ],
    },
  ],
  names: {
    workloads: { 'page-a': 'Front page' },
    clients: {},
    networks: { loopback: 'the machine’s loopback' },
    servers: { caddy: 'Caddy 2' },
  },
};

test('the page names the night of a change, every night that is not complete, and asks the network for nothing', async () => {
  const page = await renderTrendPage(trend, { runsPage: 'index.html' });
  assert.match(
    page,
    /Since 2026-01-09 \(version 154\): 2 series worse\..*Front page: Page load time over HTTP\/3: \+13.%, from 800 to 900.ms .*Front page: Largest contentful paint over HTTP\/3/s,
  );
  assert.doesNotMatch(page.replace(/<script[^]*?<\/script>/g, ''), /page-a|pltMs/, 'names, not ids');
  assert.match(page, /1 complete night of 3/);
  assert.match(page, /<td>2026-01-02<\/td><td>missed<\/td><td>nothing ran<\/td>/);
  assert.match(page, /default-src &#39;none&#39;|default-src 'none'/);
  assert.doesNotMatch(page, /<script[^>]* src=|<link[^>]* href="http|machine <b>/);
  assert.equal(page.match(/<\/script><b>/), null);
});

test('the gap of HTTP/3 to HTTP/2 by version comes first', async () => {
  const page = await renderTrendPage(trend);
  assert.match(
    page,
    /<h1[^>]*>HTTP\/3 is 12.% worse than HTTP\/2 in 154\. It was 4\.0.% worse in 153\.<\/h1>\s*<ul class="facts"><li>Front page: Page load time<\/li>/,
  );
  const [head = '', cells = ''] = [/<table class="plain gaps">.*?<\/thead>/s, /<tbody>.*?<\/tbody>/s].map(
    (part) => part.exec(page.slice(page.indexOf('plain gaps') - 20))?.[0],
  );
  assert.match(head, /154.*153/s);
  assert.match(cells, /▼.*\+12.%.*n = 24.*▼.*\+4\.0.%.*n = 12/s);
  assert.ok(page.indexOf('id="gaps"') < page.indexOf('id="changes"'));
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
  const page = await renderTrendPage({
    generatedAt: '2026-01-20T00:00:00Z',
    nights: [],
    series: [],
    gaps: [],
    names: trend.names,
  });
  assert.match(page, /No night yet/);
  assert.match(page, /No change of level was found/);
});
