import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courseSeriesOf } from '../../../../src/analyse/derive/course-series.ts';
import type { LinkCourse } from '../../../../src/core/model/schedule.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';

const bin = (bytes: number): LinkCourse['down'][number] => [1, 0, 1, bytes, 0];
const rawOf = (down: readonly number[], up: readonly number[] = []): RawTrial =>
  ({
    linkCourse: { binMs: 50, up: up.map(bin), down: down.map(bin) },
    linkSchedule: {
      startEpochMs: 0,
      up: [],
      down: [
        { fromMs: 100, toMs: 900, outage: true },
        { fromMs: 5000, toMs: 6000, outage: true },
      ],
    },
  }) as unknown as RawTrial;

test('the rate over time ends with the last byte, and so does what was in force', () => {
  assert.deepEqual(courseSeriesOf(rawOf([6250, 12_500, 0, 6250, 0, 0])), {
    direction: 'down',
    stepMs: 50,
    mbps: [1, 2, 0, 1],
    delayMs: [0, 0, 0, 0],
    lossPercent: [0, 0, 0, 0],
    schedule: [{ fromMs: 100, toMs: 200, outage: true }],
  });
});

test('the delay and the loss of each step are those of its packets, and of none where there were none', () => {
  const raw = rawOf([]);
  const down: LinkCourse['down'] = [
    [10, 0, 10, 6250, 20_000],
    [10, 4, 2, 6250, 60_000],
    [8, 8, 0, 0, 0],
    [0, 0, 1, 1500, 15_000],
  ];
  const series = courseSeriesOf({ ...raw, linkCourse: { binMs: 50, up: [], down } });
  assert.deepEqual(series?.delayMs, [20, 60, null, 15]);
  assert.deepEqual(series.lossPercent, [0, 40, 100, null]);
});

test('a long course has fewer and longer steps', () => {
  const series = courseSeriesOf(rawOf(Array.from({ length: 1000 }, () => 6250)));
  assert.equal(series?.stepMs, 450);
  assert.equal(series.mbps.length, 112);
  assert.deepEqual(new Set(series.mbps.slice(0, -1)), new Set([1]));
});

test('of an upload the way up is told; of nothing that crossed, nothing', () => {
  assert.equal(courseSeriesOf(rawOf([40], [9000, 9000]))?.direction, 'up');
  assert.equal(courseSeriesOf(rawOf([0, 0])), undefined);
  assert.equal(courseSeriesOf({} as unknown as RawTrial), undefined);
});
