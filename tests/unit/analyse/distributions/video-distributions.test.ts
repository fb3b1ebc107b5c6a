import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { videoDistributions } from '../../../../src/analyse/distributions/video-distributions.ts';
import { generateRun } from '../../../support/generated-run.ts';

const video = [{ id: 'video', kind: 'video' }] as const;

test('media time is split over every step of the ladder, also those that nobody fetched', () => {
  const { plan, records } = generateRun({ workloads: video, blocks: 3 });
  const { ladderSteps = [] } = videoDistributions(plan.arms, buildTrialTable(plan, records));
  assert.deepEqual(
    ladderSteps.map(({ arm, sessions }) => [arm, sessions]),
    [
      ['h2', 3],
      ['h3', 3],
    ],
  );
  assert.deepEqual(
    ladderSteps[0]?.steps.map(({ bitrateKbps, timeShare }) => [bitrateKbps / 1000, timeShare]),
    [
      [20, 0.25],
      [40, 0],
      [80, 0],
      [120, 0],
      [160, 0],
      [200, 0.75],
    ],
  );
});

test('chunk bitrates come with quartiles, mean and chunk length; trials that failed are left out', () => {
  const { plan, records } = generateRun({
    workloads: video,
    blocks: 3,
    alter: (record) => (record.blockIndex === 0 ? { ...record, status: 'invalid', reason: 'x' } : record),
  });
  const { chunkBitrates = [] } = videoDistributions(plan.arms, buildTrialTable(plan, records));
  const [first] = chunkBitrates;
  assert.deepEqual([first?.chunks, first?.chunkSeconds], [16, 1]);
  assert.equal(first?.meanKbps, 155_000);
  assert.deepEqual(first?.quantilesKbps, [20_000, 155_000, 200_000, 200_000, 200_000]);
});

test('a block that one arm lost counts for neither, unless no block has both', () => {
  const sessionsOf = (lost: (blockIndex: number, arm: string) => boolean): [string, number][] => {
    const { plan, records } = generateRun({
      workloads: video,
      blocks: 3,
      alter: (record) =>
        lost(record.blockIndex, record.arm) ? { ...record, status: 'invalid', reason: 'x' } : record,
    });
    const { ladderSteps = [] } = videoDistributions(plan.arms, buildTrialTable(plan, records));
    return ladderSteps.map(({ arm, sessions }) => [arm, sessions]);
  };
  assert.deepEqual(
    sessionsOf((block, arm) => block === 1 && arm === 'h3'),
    [
      ['h2', 2],
      ['h3', 2],
    ],
  );
  assert.deepEqual(
    sessionsOf((block, arm) => (block === 0) === (arm === 'h3')),
    [
      ['h2', 1],
      ['h3', 2],
    ],
  );
  assert.deepEqual(
    sessionsOf((_, arm) => arm === 'h3'),
    [['h2', 3]],
  );
});

test('a run without video has none', () => {
  const { plan, records } = generateRun();
  assert.deepEqual(videoDistributions(plan.arms, buildTrialTable(plan, records)), {});
});
