import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courseMetrics } from '../../../../src/analyse/derive/course-metrics.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';
import type { Stretch } from '../../../../src/core/model/schedule-course.ts';
import type { WorkloadKind } from '../../../../src/core/model/workload.ts';

const binMs = 50;
/** 10 Mbit/s in 50 ms. */
const fullBytes = 62_500;

/** Bytes that left the link: from each time on (ms) so many a stretch, until the next. */
function course(steps: readonly (readonly [fromMs: number, bytes: number])[], endMs: number) {
  return Array.from({ length: endMs / binMs }, (_, bin) => {
    const bytes = steps.findLast(([fromMs]) => fromMs <= bin * binMs)?.[1] ?? 0;
    return [1, 0, 1, bytes, 10_000] as [number, number, number, number, number];
  });
}

function metricsOf(
  down: ReturnType<typeof course>,
  schedule: readonly Stretch[],
  kind: WorkloadKind = 'download',
) {
  const raw = {
    linkCourse: { binMs, up: [[1, 0, 1, 40, 0]], down },
    linkSchedule: { startEpochMs: 0, up: [], down: schedule },
  };
  return courseMetrics(raw as unknown as RawTrial, kind);
}

const outage: Stretch = { fromMs: 2000, toMs: 4000, outage: true };

test('a rate has recovered when half a second of it is at 90 % of the second before the outage', () => {
  const down = course(
    [
      [0, fullBytes],
      [2000, 0],
      [4300, fullBytes / 2],
      [5000, 0.92 * fullBytes],
    ],
    8000,
  );
  assert.deepEqual(metricsOf(down, [outage]), {
    // A packet in each 50 ms from 3 s on, a second after the outage began.
    metrics: { rateRecoveryMs: 1000, outageResumeMs: 300, rateDuringMbps: 0, outageProbes: 20 },
    warnings: [],
  });
});

test('a transfer that ended before its rate was back has no time of recovery, and the reason is told', () => {
  const down = course(
    [
      [0, fullBytes],
      [2000, 0],
      [4100, fullBytes / 2],
    ],
    6000,
  );
  const { metrics, warnings } = metricsOf(down, [outage]);
  assert.equal(metrics['rateRecoveryMs'], null);
  assert.match(warnings[0] ?? '', /ended before its rate was back/);
});

test('a load that is over before the outage is has nothing to say of how it goes on, which is told', () => {
  const { metrics, warnings } = metricsOf(course([[0, fullBytes]], 2000), [outage]);
  assert.equal('outageResumeMs' in metrics, false);
  assert.deepEqual(warnings, ['nothing came after the outage or burst of loss that began at 2000 ms']);
});

test('a burst of loss is disturbing from 5 % on, and what meets is one', () => {
  const down = course(
    [
      [0, fullBytes],
      [2000, fullBytes / 10],
      [4000, fullBytes],
    ],
    8000,
  );
  const burst: readonly Stretch[] = [
    { fromMs: 0, toMs: 1000, lossPercent: 1 },
    { fromMs: 2000, toMs: 3000, lossPercent: 30 },
    { fromMs: 3000, toMs: 4000, lossPercent: 30, delayMs: 5 },
  ];
  const { metrics } = metricsOf(down, burst);
  assert.equal(metrics['rateDuringMbps'], 1);
  assert.equal(metrics['rateRecoveryMs'], 0);
});

test('what was over before the outage, or began in it, had nothing to recover', () => {
  assert.deepEqual(metricsOf(course([[0, fullBytes]], 1500), [outage]).metrics, {});
  const late = course(
    [
      [0, 0],
      [4500, fullBytes],
    ],
    6000,
  );
  assert.deepEqual(metricsOf(late, [outage]).metrics, {
    outageResumeMs: 500,
    rateDuringMbps: 0,
    outageProbes: 20,
  });
});

test('what comes while a burst of loss lets packets through is no probe', () => {
  const { metrics } = metricsOf(course([[0, fullBytes]], 8000), [
    { fromMs: 2000, toMs: 4000, lossPercent: 30 },
  ]);
  assert.equal(metrics['outageProbes'], undefined);
});

test('the window that is left after lost packets is told by what is under way, in a queue too', () => {
  const lost: Stretch = { fromMs: 1500, toMs: 2500, lostPackets: 1 };
  const withDelays = (afterUs: number, afterBytes = fullBytes) =>
    course(
      [
        [0, fullBytes],
        [1500, afterBytes],
      ],
      4000,
    ).map(([came, gone, left, bytes], bin) => {
      const delayUs = bin * binMs < 1500 ? 60_000 : afterUs;
      return [came, gone, left, bytes, delayUs] as [number, number, number, number, number];
    });
  const left = (down: ReturnType<typeof course>) => metricsOf(down, [lost]).metrics['lossWindowPercent'];
  assert.equal(left(withDelays(60_000)), 100);
  assert.equal(left(withDelays(42_000)), 70);
  assert.equal(left(withDelays(30_000, fullBytes / 2)), 25);
  assert.equal(left(withDelays(60_000).slice(0, 39)), undefined);
  assert.equal(metricsOf(withDelays(60_000), [outage]).metrics['lossWindowPercent'], undefined);
});

test('of an upload the way up counts', () => {
  const raw = {
    linkCourse: { binMs, up: course([[0, fullBytes]], 8000), down: [[1, 0, 1, 40, 0]] },
    linkSchedule: { startEpochMs: 0, up: [{ ...outage, outage: undefined, lossPercent: 30 }], down: [] },
  };
  assert.equal(courseMetrics(raw as unknown as RawTrial, 'download').metrics['rateDuringMbps'], 10);
});

test('where nothing is scheduled there is nothing to measure', () => {
  assert.deepEqual(courseMetrics({} as unknown as RawTrial, 'download'), { metrics: {}, warnings: [] });
});
