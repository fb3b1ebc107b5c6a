import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timesFromStart } from '../../../../../harness/clients/browsers/times-from-start.ts';
import { originEpochMs, pageTimings } from '../../../analyse/derive/evidence.ts';

const document = (askedEpochMs: number): { url: string; askedEpochMs: number } => ({
  url: 'https://site.test/',
  askedEpochMs,
});

test('a page that is one document keeps its own times', () => {
  const timings = pageTimings();
  assert.equal(timesFromStart(timings, [document(originEpochMs - 5)]), timings);
  assert.equal(timesFromStart(timings, []), timings);
});

test('of a page that led on every time counts from the first document, and what never was stays so', () => {
  const own = pageTimings({ loadEventEndMs: 0, fcpMs: null, longTasks: [{ startMs: 10, durationMs: 60 }] });
  const shifted = timesFromStart(own, [document(originEpochMs - 600), document(originEpochMs - 1)]);
  assert.equal(shifted.timeOriginEpochMs, originEpochMs - 600);
  assert.deepEqual(
    [shifted.responseStartMs, shifted.domContentLoadedMs, shifted.lcpMs, shifted.longTasks?.[0]?.startMs],
    [646, 800, 780, 610],
  );
  assert.deepEqual([shifted.loadEventEndMs, shifted.fcpMs], [0, null]);
  assert.equal(shifted.connectEndMs - shifted.connectStartMs, own.connectEndMs - own.connectStartMs);
});

test('a clock that went back makes no time shorter than the last document’s own', () => {
  const own = pageTimings();
  assert.deepEqual(timesFromStart(own, [document(originEpochMs + 50), document(originEpochMs + 60)]), own);
});
