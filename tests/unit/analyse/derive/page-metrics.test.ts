import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import { pageMetrics } from '../../../../src/analyse/derive/page-metrics.ts';
import type { DerivedPart } from '../../../../src/analyse/derive/derived-part.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import type { PageTimings } from '../../../../src/core/model/raw-trial.ts';
import { harEntry, harOf, originEpochMs, pageTimings } from './evidence.ts';

function derive(timings: PageTimings | null, har: Har): DerivedPart {
  return pageMetrics(timings, har, networkObjectsOf(har));
}

test('load, first byte and connection times come from the page', () => {
  const { metrics, warnings } = derive(pageTimings(), harOf([harEntry()]));
  assert.equal(metrics['pltMs'], 300);
  assert.equal(metrics['ttfbMs'], 20);
  assert.equal(metrics['connectMs'], 20);
  assert.equal(metrics['ttfbWithConnectMs'], 41);
  assert.equal(metrics['fcpMs'], 120);
  assert.equal(metrics['lcpMs'], 180);
  assert.equal(metrics['cls'], 0);
  assert.deepEqual(warnings, []);
});

test('content download time ends with the last byte of what was requested before load', () => {
  const har = harOf([
    harEntry(),
    harEntry({ url: 'https://site.test/slow.js', startMs: 100, timeMs: 250 }),
    harEntry({ url: 'https://site.test/beacon', startMs: 320, timeMs: 900 }),
  ]);
  assert.equal(derive(pageTimings(), har).metrics['cdtMs'], 350);
});

test('what a load handler asks for is not part of the load', () => {
  const byHandler = harOf([
    harEntry(),
    harEntry({ url: 'https://site.test/late', startMs: 299, timeMs: 900 }),
  ]);
  assert.equal(derive(pageTimings(), byHandler).metrics['cdtMs'], 50);
  const withoutStart = pageTimings();
  delete withoutStart.loadEventStartMs;
  assert.equal(derive(withoutStart, byHandler).metrics['cdtMs'], 1199);
});

test('a start cut to whole ms in the last ms before load is taken for a handler', () => {
  const late = (startedDateTime: string): Har =>
    harOf([harEntry(), harEntry({ url: 'https://site.test/late', timeMs: 900, entry: { startedDateTime } })]);
  const timings = pageTimings({ loadEventStartMs: 298.7 });
  assert.equal(derive(timings, late('2026-01-01T12:00:00.298Z')).metrics['cdtMs'], 50);
  assert.equal(Math.round(derive(timings, late('2026-01-01T12:00:00.298600Z')).metrics['cdtMs'] ?? 0), 1199);
  assert.equal(derive(timings, late('2026-01-01T12:00:00.298800Z')).metrics['cdtMs'], 50);
});

test('a HAR whose load event lies more than 5 ms away is a warning that names both', () => {
  assert.deepEqual(derive(pageTimings(), harOf([harEntry()], 304)).warnings, []);
  const [warning] = derive(pageTimings(), harOf([harEntry()], 290)).warnings;
  assert.match(warning ?? '', /HAR onLoad says 290\.0 ms .* loadEventEnd 300\.0 ms/);
});

test('a HAR that counts from the first request is brought to navigation start before it is compared', () => {
  const har = harOf([harEntry()], 280);
  const [page] = har.log.pages;
  assert.ok(page);
  page.startedDateTime = new Date(originEpochMs + 20).toISOString();
  assert.deepEqual(derive(pageTimings(), har).warnings, []);
});

test('blocking time is what long tasks take beyond 50 ms after first contentful paint', () => {
  const longTasks = [
    { startMs: 10, durationMs: 100 },
    { startMs: 100, durationMs: 120 },
    { startMs: 230, durationMs: 60 },
    { startMs: 400, durationMs: 150 },
  ];
  // The first ends before FCP; of the second 100 ms lie after it.
  assert.equal(derive(pageTimings({ longTasks }), harOf([harEntry()])).metrics['tbtMs'], 50 + 10 + 100);
});

test('what a browser does not offer is null, and one warning names it', () => {
  const timings = pageTimings({ cls: null, longTasks: null });
  const { metrics, warnings } = derive(timings, harOf([harEntry()]));
  assert.equal(metrics['cls'], null);
  assert.equal(metrics['tbtMs'], null);
  assert.deepEqual(warnings, ['cls, tbtMs: no such entries from this browser']);
});

test('a connection opened ahead of the request has no connect time', () => {
  const { metrics, warnings } = derive(pageTimings({ connectEndMs: 5 }), harOf([harEntry()]));
  assert.equal(metrics['connectMs'], null);
  assert.equal(metrics['ttfbWithConnectMs'], null);
  assert.equal(metrics['ttfbMs'], 20);
  assert.match(warnings.join(), /^connectMs, ttfbWithConnectMs: .*already open/);
});

test('without a load event there is neither load nor download time', () => {
  const { metrics } = derive(pageTimings({ loadEventEndMs: 0 }), harOf([harEntry()], null));
  assert.equal(metrics['pltMs'], null);
  assert.equal(metrics['cdtMs'], null);
});

test('without timings there are no page metrics, and a warning says so', () => {
  const { metrics, warnings } = derive(null, harOf([harEntry()]));
  assert.deepEqual(metrics, {});
  assert.match(warnings.join(), /no page timings/);
});
