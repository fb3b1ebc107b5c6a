import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import type { TimelineEntry } from '../../src/core/model/timeline.ts';
import { lateImagePaths } from '../../sites/scheduling/late-image-workload.ts';
import {
  arrivalOf,
  overtakingOf,
  schedulingArms,
  schedulingPage,
  type SchedulingRow,
} from '../support/scheduling-matrix.ts';

const entry = (path: string, startEpochMs: number, durationMs: number): ServerLogEntry => ({
  host: 'late-image.h2h3.test',
  path,
  method: 'GET',
  protocol: 'h3',
  status: 200,
  bytes: 1,
  startEpochMs,
  durationMs,
});
const row: SchedulingRow = {
  client: 'chromium',
  version: '156',
  arm: 'chromium:h3+server=go+priorities=on',
  loads: [{ urgentMs: 217.4, endedBefore: 0 }],
};
const empty =
  '# Page\n\n<!-- made by `npm run scheduling` -->\n\n<!-- end of what `npm run scheduling` makes -->\n\nAfter.\n';

test('what ended before the urgent object is counted by the log, whatever the order of its lines', () => {
  const low = lateImagePaths.low.map((path, index) => entry(path, 0, index < 3 ? 600 : 4000));
  const serverLog = [entry(lateImagePaths.urgent, 500, 250), ...low];
  assert.deepEqual(overtakingOf({ serverLog }), { urgentMs: 250, endedBefore: 3 });
  assert.equal(overtakingOf({ serverLog: low }), undefined);
  assert.equal(overtakingOf({ serverLog: serverLog.slice(0, -1) }), undefined);
});

test('where the log is that of buffers, objects end as the browser received them', async () => {
  const seen = (path: string, startMs: number, responseEndMs: number): TimelineEntry => ({
    url: `https://late-image.h2h3.test:8443${path}`,
    startMs,
    responseEndMs,
    redirectEndMs: 0,
    workerStartMs: 0,
    domainLookupStartMs: 0,
    connectStartMs: 0,
    secureConnectionStartMs: 0,
    connectEndMs: 0,
    requestStartMs: startMs,
    responseStartMs: startMs,
    protocol: 'h3',
    status: 200,
    delivery: '',
    transferBytes: 1,
    encodedBytes: 1,
    decodedBytes: 1,
    initiator: 'fetch',
  });
  const low = lateImagePaths.low.map((path, index) => seen(path, 100, index < 6 ? 3500 : 4000));
  const entries = [...low, seen(lateImagePaths.urgent, 600, 3900)];
  const page = { scope: 'page' as const, url: '', timeOriginEpochMs: 0, droppedEntries: 0 };
  const arrival = arrivalOf({ timelines: [{ ...page, entries }] });
  assert.deepEqual(arrival, { urgentMs: 3300, endedBefore: 6 });
  const cutOff = seen(lateImagePaths.urgent, 600, 0);
  assert.equal(arrivalOf({ timelines: [{ ...page, entries: [...low, cutOff] }] }), undefined);
  assert.equal(arrivalOf({}), undefined);
  const byBrowser = { ...row, arm: 'chromium:h3+server=nginx', loads: [{ urgentMs: 3300, endedBefore: 6 }] };
  assert.match(await schedulingPage([byBrowser], empty), /`nginx` +\| +\| 3300 \(6\) \(browser\) /);
});

test('a server with a switch is measured both ways, any other as it is', () => {
  assert.deepEqual(schedulingArms('firefox', ['caddy', 'go']), [
    'firefox:h2+server=caddy',
    'firefox:h3+server=caddy',
    'firefox:h2+server=go+priorities=on',
    'firefox:h2+server=go+priorities=off',
    'firefox:h3+server=go+priorities=on',
    'firefox:h3+server=go+priorities=off',
  ]);
});

test('rows are renewed in their place, and those that were not measured stay', async () => {
  const other = { ...row, arm: 'chromium:h2+server=nginx', loads: [], reason: 'unsupported: no nginx' };
  const first = await schedulingPage([row, other], empty);
  assert.match(first, /\| `chromium` 156 +\| `go`, priorities on +\| +\| 217 \(0\) +\|/);
  assert.match(first, /\| `nginx` +\| \*\*no\*\*: unsupported: no nginx +\| +\|/);
  const again = await schedulingPage(
    [{ ...row, version: '157', loads: [{ urgentMs: 1093, endedBefore: 2 }] }],
    first,
  );
  assert.match(again, /`chromium` 157 +\| `go`, priorities on +\| +\| 1093 \(2\) /);
  assert.ok(!again.includes('217') && again.includes('no nginx') && again.endsWith('After.\n'));
  const both = await schedulingPage([{ ...row, arm: 'chromium:h2+server=go+priorities=on' }], again);
  assert.match(both, /`chromium` 156 +\| `go`, priorities on +\| 217 \(0\) +\| 1093 \(2\) /);
});

test('a page without a place for the rows is refused', async () => {
  await assert.rejects(schedulingPage([row], '# Page\n'), /no place/);
});
