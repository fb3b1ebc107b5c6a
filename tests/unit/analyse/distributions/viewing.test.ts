import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { viewingOf } from '../../../../src/analyse/distributions/viewing.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Viewing } from '../../../../src/core/model/video-summary.ts';
import { generateRun } from '../../../support/generated-run.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';

const film = [{ id: 'film', kind: 'video' }] as const;

function rowsOf(options: GeneratedRunOptions): readonly Viewing[] {
  const { plan, records } = generateRun({ workloads: film, blocks: 4, ...options });
  return viewingOf(plan.arms, buildTrialTable(plan, records)).viewing ?? [];
}

const withMetrics =
  (own: (record: TrialRecord) => Record<string, number | null>) =>
  (record: TrialRecord): TrialRecord => {
    const metrics: TrialMetrics = { ...record.metrics };
    Object.assign(metrics, own(record));
    return { ...record, metrics };
  };

test('each arm has bitrate, stalls, start-up and quality of its valid sessions', () => {
  const alter = withMetrics(({ blockIndex, arm }) => ({
    meanVmaf: 80 + blockIndex,
    timeWeightedBitrateKbps: 4000,
    startupDelayMs: arm === 'h3' ? 300 : 400,
    stallCount: arm === 'h3' && blockIndex === 1 ? 2 : 0,
    stallTotalMs: arm === 'h3' && blockIndex === 1 ? 3000 : 0,
    playedSeconds: 60,
  }));
  const [h2, h3] = rowsOf({ alter });
  assert.deepEqual([h2?.sessions, h2?.lost, h2?.playedSeconds], [4, 0, 240]);
  assert.deepEqual(h2?.vmaf, { median: 81.5, quartiles: [80.75, 82.25] });
  assert.deepEqual([h2?.startupMs?.median, h3?.startupMs?.median], [400, 300]);
  assert.equal(h2?.stalls.perHour, 0);
  assert.deepEqual([h3?.stalls.count, h3?.stalls.sessions, h3?.stalls.perHour], [2, 1, 30]);
  assert.equal(h3?.stalls.timeShare, 3 / 243);
});

test('a session whose player died is counted as lost, and is in no average', () => {
  const dies = withMetrics(({ blockIndex }) => ({ startupDelayMs: blockIndex === 2 ? 90_000 : 400 }));
  const alter = (record: TrialRecord): TrialRecord =>
    record.blockIndex === 2 && record.arm === 'h3'
      ? { ...dies(record), status: 'failed', reason: 'the page reported an error: decoder gone' }
      : withMetrics(() => ({ startupDelayMs: 400 }))(record);
  const [h2, h3] = rowsOf({ alter });
  assert.deepEqual([h2?.sessions, h2?.lost, h3?.sessions, h3?.lost], [4, 0, 3, 1]);
  assert.equal(h3?.startupMs?.median, 400);
  assert.equal(h3.startupMs.quartiles[1], 400);
});

test('rules and players have a row each, and an arm without any session has one that says how many were lost', () => {
  const rules = ['bba', 'bola'].map((rule) => ({ id: `video-x-2s-${rule}`, kind: 'video' }) as const);
  assert.deepEqual(
    rowsOf({ workloads: rules }).map(({ workload, arm }) => `${workload} ${arm}`),
    ['video-x-2s-bba h2', 'video-x-2s-bba h3', 'video-x-2s-bola h2', 'video-x-2s-bola h3'],
  );
  const [, h3] = rowsOf({
    alter: (record) => (record.arm === 'h3' ? { ...record, status: 'invalid', reason: 'x' } : record),
  });
  assert.deepEqual([h3?.sessions, h3?.lost, h3?.startupMs, h3?.stalls.perHour], [0, 4, null, null]);
  assert.deepEqual(rowsOf({ workloads: [{ id: 'page', kind: 'page' }] }), []);
});

test('what players told of themselves is counted over recorded sessions', () => {
  const alter = withMetrics(({ instrumentation, arm }) =>
    instrumentation === 'instrumented' ? { cmcdRequests: 30, cmcdContradicted: arm === 'h3' ? 1 : 0 } : {},
  );
  const [h2, h3] = rowsOf({ recordedBlocks: 'all', alter });
  assert.deepEqual(h2?.cmcd, { sessions: 4, requests: 120, contradicted: 0 });
  assert.deepEqual(h3?.cmcd, { sessions: 4, requests: 120, contradicted: 4 });
  assert.equal(rowsOf({})[0]?.cmcd, undefined);
});
