import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { frameDistributions } from '../../../../src/analyse/distributions/frame-distributions.ts';
import type { FrameSpread } from '../../../../src/core/model/frame-spread.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const workloads = [{ id: 'video-clock', kind: 'video' }] as const;

function spreadsOf(alter: (record: TrialRecord) => TrialRecord): readonly FrameSpread[] {
  const { plan, records } = generateRun({ workloads, blocks: 3, alter });
  return frameDistributions(plan.arms, buildTrialTable(plan, records)).frames ?? [];
}

/** Ten frames a second from 500 ms after the load call on, for so many seconds. */
function withFrames(
  record: TrialRecord,
  latencyMs: number,
  stalls: [number, number][] = [],
  seconds = 3,
): TrialRecord {
  const shown = Array.from({ length: seconds * 10 + 1 }, (_, index): [number, number] => [
    500 + index * 100,
    latencyMs,
  ]);
  const metrics: TrialMetrics = {};
  metrics.frames = { delayTargetMs: 300, shown };
  metrics.stalls = stalls;
  metrics['lateFrames'] = 2;
  metrics['lostFrames'] = 1;
  metrics['frameLatencyP95Ms'] = latencyMs;
  return { ...record, metrics };
}

test('the frames of all valid sessions of an arm make one distribution, with what was late, lost and stalled', () => {
  const [first, second] = spreadsOf((record) => {
    if (record.blockIndex === 2) return { ...record, status: 'invalid', reason: 'x' };
    return record.arm === 'h2'
      ? withFrames(record, 100 + record.blockIndex * 100, [[1400, 1700]])
      : withFrames(record, 50);
  });
  assert.deepEqual([first?.trials, first?.shown, first?.late, first?.lost], [2, 62, 4, 2]);
  assert.deepEqual([first?.quantilesMs[0], first?.quantilesMs[200]], [100, 200]);
  // From 1400 to 1700 ms are the first and the second second of the picture.
  assert.deepEqual([first?.seconds, first?.stalledSeconds, first?.delayTargetMs], [6, 4, 300]);
  assert.deepEqual([second?.seconds, second?.stalledSeconds, second?.stalls], [6, 0, []]);
});

test('a picture that stands still to the end is stalled to the end', () => {
  const [first] = spreadsOf((record) => withFrames(record, 50, [[3500, 5500]]));
  assert.deepEqual([first?.seconds, first?.stalledSeconds], [15, 6]);
});

test('the session that is shown is the one whose latest frames are most usual', () => {
  const [first] = spreadsOf((record) => withFrames(record, [100, 900, 300][record.blockIndex] ?? 0));
  assert.equal(first?.blockIndex, 2);
  assert.deepEqual(first.samples[0], [500, 300]);
});

test('a run without numbered pictures has none', () => {
  assert.deepEqual(
    spreadsOf((record) => record),
    [],
  );
});
