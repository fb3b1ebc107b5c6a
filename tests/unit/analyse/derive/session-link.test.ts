import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courseMetrics } from '../../../../src/analyse/derive/course-metrics.ts';
import { sessionScheduleOf } from '../../../../src/analyse/derive/session-link.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';
import { originEpochMs, rawTrial, videoSession } from './evidence.ts';

/** The player was called 1 s after navigation start, by which the schedule counts. */
const startEpochMs = originEpochMs + videoSession({}).loadCallMs - 1000;
const linkSchedule: NonNullable<RawTrial['linkSchedule']> = {
  startEpochMs,
  up: [],
  down: [
    { fromMs: 0, toMs: 500, lossPercent: 2 },
    { fromMs: 800, toMs: 3000, lossPercent: 1 },
    { fromMs: 6000, toMs: 8000, outage: true },
  ],
};
const linkCourse: NonNullable<RawTrial['linkCourse']> = {
  binMs: 50,
  up: [],
  down: Array.from({ length: 800 }, () => [1, 0, 1, 1500, 10_000]),
};

test('what was in force counts from the load call, and what was over before it is left out', () => {
  const raw = rawTrial({ session: videoSession({}), linkSchedule });
  assert.deepEqual(sessionScheduleOf(raw), [
    { fromMs: 0, toMs: 2000, lossPercent: 1 },
    { fromMs: 5000, toMs: 7000, outage: true },
  ]);
  assert.equal(sessionScheduleOf(rawTrial({ session: videoSession({}) })), undefined);
  assert.equal(sessionScheduleOf(rawTrial({ session: null, linkSchedule })), undefined);
});

/** Stall time of outages of a session that stalled at these times after its load call. */
function outageStallMs(stalls: readonly (readonly [fromMs: number, toMs: number])[]): unknown {
  const { loadCallMs } = videoSession({});
  const session = videoSession({
    stalls: stalls.map(([fromMs, toMs]) => ({
      startMs: loadCallMs + fromMs,
      endMs: loadCallMs + toMs,
      bufferSeconds: 0,
      mediaSeconds: 1,
    })),
  });
  return courseMetrics(rawTrial({ session, linkSchedule, linkCourse }), 'video').metrics['outageStallMs'];
}

test('stalls that begin in an outage or soon after it are its own, others are not', () => {
  assert.equal(outageStallMs([]), 0);
  // The outage is from 5 to 7 s after the load call: before it, in it, soon after it, and long after it.
  assert.equal(outageStallMs([[1000, 1500]]), 0);
  assert.equal(
    outageStallMs([
      [5500, 7500],
      [9000, 9200],
      [18_000, 19_000],
    ]),
    2200,
  );
});

test('a page has no stalls, so no stall time of outages either', () => {
  const raw = rawTrial({ session: null, linkSchedule, linkCourse });
  assert.equal('outageStallMs' in courseMetrics(raw, 'video').metrics, false);
});
