import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedExchange } from '../../../../sites/archive/write-archive.ts';
import { withMinWaits } from '../../../../sites/record/min-waits.ts';

function exchange(visit: number, changes: Partial<RecordedExchange['entry']>, body = 'x'): RecordedExchange {
  const entry = {
    visit,
    method: 'GET',
    host: 'a.test',
    path: '/',
    query: '',
    range: '',
    status: 200,
    headers: [],
    startMs: 0,
    waitMs: 0,
    ...changes,
  };
  return { entry, requestBody: null, body: Buffer.from(body) };
}

function waits(exchanges: readonly RecordedExchange[]): number[] {
  return withMinWaits(exchanges).map(({ entry }) => entry.waitMs);
}

test('an exchange keeps the least think time of all loads, each of several alike that of its own turn', () => {
  const loads = [
    exchange(0, { waitMs: 90 }),
    exchange(0, { waitMs: 20 }),
    exchange(1, { waitMs: 30 }),
    exchange(1, { waitMs: 70 }),
  ];
  assert.deepEqual(waits(loads), [30, 20, 30, 20]);
});

test('what asks for something else, or ends otherwise, keeps its own', () => {
  assert.deepEqual(
    waits([
      exchange(0, { waitMs: 90 }),
      exchange(1, { waitMs: 10, query: 'b' }),
      exchange(1, { waitMs: 20, status: 304 }),
      exchange(2, { waitMs: 30, status: 0, failure: 'broken' }),
    ]),
    [90, 10, 20, 30],
  );
});

test('a page that is another for each session has the think time of its fastest load, and its own pauses', () => {
  const session = (visit: number, waitMs: number, pauses: [number, number][]): RecordedExchange =>
    exchange(visit, { waitMs, pauses, vary: { cookie: `session=${visit}` } }, `token ${visit}`);
  const kept = withMinWaits([session(0, 90, [[3, 200]]), session(1, 40, [])]);
  assert.deepEqual(
    kept.map(({ entry }) => [entry.waitMs, entry.pauses]),
    [
      [40, [[3, 200]]],
      [40, []],
    ],
  );
});

test('pauses within a body are those of the load in which they were shortest', () => {
  const paused = (visit: number, pauses: [number, number][]): RecordedExchange => exchange(visit, { pauses });
  const kept = withMinWaits([
    paused(0, [
      [3, 200],
      [6, 400],
    ]),
    paused(1, [[3, 210]]),
  ]);
  assert.deepEqual(
    kept.map(({ entry }) => entry.pauses),
    [[[3, 210]], [[3, 210]]],
  );
});
