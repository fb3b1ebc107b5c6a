import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageData } from '../../reports/html/page-data.ts';
import { unpackComparisons } from '../../reports/html/pack-comparisons.ts';
import { renderReportPages } from '../../reports/html/render-html-report.ts';
import { pageLoadFixture } from '../support/page-load-fixture.ts';
import { summaryFixture } from '../support/summary-fixture.ts';

function dataOf(text: string): PageData {
  const json = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}';
  return JSON.parse(json) as PageData;
}

describe('the pages of a report', () => {
  test('a small run is one file', async () => {
    const pages = await renderReportPages(summaryFixture(), { pageLoads: [pageLoadFixture({ arm: 'h2' })] });
    assert.deepEqual(
      pages.map(({ path }) => path),
      ['report.html'],
    );
    assert.doesNotMatch(pages[0]?.text ?? 'More of this run', /More of this run/);
  });

  test('of a large run nothing is lost: every load, session and value stands in some page, each below 3 MB', async () => {
    const summary = summaryFixture({ pages: 300, blocks: 20, videos: 10, downloads: 0 });
    const pageLoads = summary.workloads
      .filter(({ kind }) => kind === 'page')
      .flatMap(({ id }) => ['h2', 'h3'].map((arm) => pageLoadFixture({ arm, workload: id, requests: 60 })));
    const pages = await renderReportPages(summary, { pageLoads });
    assert.ok(pages.length > 4);
    for (const { path, text } of pages) assert.ok(Buffer.byteLength(text) < 3_000_000, path);
    const data = pages.map(({ text }) => dataOf(text));
    const shownLoads = data.flatMap((one) =>
      one.pageLoads.flatMap(({ loads }) => loads.map(({ trialId }) => trialId)),
    );
    assert.deepEqual(shownLoads.toSorted(), pageLoads.map(({ trialId }) => trialId).toSorted());
    const shownSessions = data.flatMap((one) =>
      one.sessionGroups.flatMap(({ blocks }) =>
        blocks.flatMap(({ sessions }) => sessions.map(({ trialId }) => trialId)),
      ),
    );
    assert.equal(new Set(shownSessions).size, summary.sessions.length);
    const values = data.flatMap((one) =>
      unpackComparisons(one.comparisons).flatMap((comparison) => comparison.values.map(() => comparison.id)),
    );
    assert.equal(
      values.length,
      summary.comparisons.reduce((sum, comparison) => sum + comparison.values.length, 0),
    );
  });

  test('of more comparisons than a page holds the first one keeps those that decide, and names where the rest is', async () => {
    const summary = summaryFixture({ pages: 20, blocks: 2, videos: 0, downloads: 0 });
    const networks = Array.from({ length: 40 }, (_, index) => `network-${index}`);
    const comparisons = networks.flatMap((network) =>
      summary.comparisons.map((one) => ({ ...one, network })),
    );
    const pages = await renderReportPages({ ...summary, comparisons });
    for (const { path, text } of pages) assert.ok(Buffer.byteLength(text) < 3_000_000, path);
    const [first = [], ...parts] = pages.map(({ text }) => unpackComparisons(dataOf(text).comparisons));
    assert.ok(first.length < comparisons.length);
    const primaries = comparisons.filter(({ primary }) => primary).length;
    assert.equal(first.filter(({ primary }) => primary).length, primaries);
    const elsewhere = new Set(parts.flat().map(({ id }) => id));
    assert.ok(first.every(({ id, values }) => values.length > 0 || elsewhere.has(id)));
    assert.equal(new Set([...first.map(({ id }) => id), ...elsewhere]).size, comparisons.length);
    const [{ text = '' } = {}] = pages;
    assert.match(text, /further comparisons of metrics that decide less have no room here/);
    const anchors = [...text.matchAll(/href="#(c-[^"]+)"/g)].map(([, anchor]) => anchor ?? '');
    const shown = new Set(first.map(({ id }) => id));
    assert.ok(anchors.length > 0 && anchors.every((anchor) => shown.has(anchor)));
  });

  test('links between the pages name files that there are, and the way back', async () => {
    const summary = summaryFixture({ pages: 100, blocks: 8, videos: 0 });
    const pageLoads = summary.workloads.flatMap(({ id, kind }) =>
      kind === 'page' ? [pageLoadFixture({ arm: 'h2', workload: id, requests: 100 })] : [],
    );
    const pages = await renderReportPages(summary, { pageLoads });
    const paths = new Set(pages.map(({ path }) => path));
    const [first, ...parts] = pages;
    const links = [...(first?.text ?? '').matchAll(/href="(report\/[^"#]+)/g)].map(([, path]) => path);
    assert.ok(links.length > 30);
    assert.deepEqual(new Set(links), new Set(parts.map(({ path }) => path)));
    assert.ok(links.every((path) => paths.has(path ?? '')));
    for (const { text } of parts) assert.match(text, /href="\.\.\/report\.html"/);
  });
});
