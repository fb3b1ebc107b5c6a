import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { nothingAtRisk } from '../../../../src/analyse/comparison/video-at-risk.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const tracksOf = (record: TrialRecord, tracks: readonly string[], stallCount: number): TrialRecord => {
  const [chunk] = record.metrics.chunks ?? [];
  assert.ok(chunk !== undefined);
  const metrics: TrialMetrics = { ...record.metrics };
  metrics.chunks = tracks.map((representation, index) => ({ ...chunk, index, representation }));
  metrics['stallCount'] = stallCount;
  return { ...record, metrics };
};

const warningsOf = (alter: (record: TrialRecord) => TrialRecord): string[] => {
  const { plan, records } = generateRun({ workloads: [{ id: 'video-x', kind: 'video' }], alter });
  return nothingAtRisk(plan, buildTrialTable(plan, records));
};

test('a film that the baseline plays without a stall and in one track once it has settled can tell nothing', () => {
  const settled = ['240p', '720p', '1080p', '1080p', '1080p', '1080p'];
  assert.match(warningsOf((record) => tracksOf(record, settled, 0)).join(), /nothing was at risk in video-x/);
});

test('one session of the baseline that stalled or changed late is a risk, and the candidate’s is none', () => {
  const settled = ['1080p', '1080p', '1080p', '1080p'];
  const changed = ['1080p', '1080p', '1080p', '720p'];
  const inOneBlock = (arm: string, tracks: readonly string[], stalls: number) => (record: TrialRecord) =>
    record.arm === arm && record.blockIndex === 3
      ? tracksOf(record, tracks, stalls)
      : tracksOf(record, settled, 0);
  assert.deepEqual(warningsOf(inOneBlock('h2', changed, 0)), []);
  assert.deepEqual(warningsOf(inOneBlock('h2', settled, 1)), []);
  assert.equal(warningsOf(inOneBlock('h3', changed, 1)).length, 1);
});
