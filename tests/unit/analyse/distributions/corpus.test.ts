import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { corpusOf } from '../../../../src/analyse/distributions/corpus.ts';
import { expandPlan } from '../../../../src/plan/expand-plan.ts';
import { planFileSchema } from '../../../../src/plan/plan-file.ts';
import { defaultPrimaries } from '../../../../src/core/metrics/registry.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';

const facts = { objectCount: 10, wireBytes: 1000, types: { html: 1, image: 9 }, source: 'test' };
const workloads = [
  { id: 'page-a', kind: 'page', title: 'A', facts },
  { id: 'page-b', kind: 'page', title: 'B', facts: { source: 'test' } },
  { id: 'download-1mb', kind: 'download', title: 'D', facts },
] as const;
const plan = expandPlan(planFileSchema.parse({ workloads: workloads.map(({ id }) => id), repetitions: 3 }), {
  workloads,
  liveWorkloads: new Set(),
  defaultPrimary: defaultPrimaries,
  command: 'test',
});

function record(trialId: string, status: TrialRecord['status'], objectCount: number): TrialRecord {
  const planned = plan.trials.find((trial) => trial.trialId === trialId);
  assert.ok(planned);
  const { blockIndex, arm, workload, client, network, server } = planned;
  const common = {
    startedAt: '2026-01-01T00:00:00Z',
    durationMs: 1,
    postProcessMs: 0,
    artifacts: {},
    warnings: [],
  };
  const metrics = { objectCount, wireBytes: objectCount * 200, hostCount: 2, tbtMs: objectCount + 22 };
  return {
    schemaVersion: 1,
    factors: planned.factors,
    trialId,
    blockIndex,
    arm,
    workload,
    client,
    network,
    server,
    instrumentation: planned.instrumentation,
    status,
    metrics,
    ...common,
  };
}

test('a page is described by the median of its valid trials, else by what is known of it beforehand', () => {
  const ofA = plan.trials.filter(({ workload }) => workload === 'page-a');
  const counts = [12, 14, 13, 500];
  const records = counts.map((count, index) =>
    record(ofA[index]?.trialId ?? '', count === 500 ? 'invalid' : 'ok', count),
  );
  const [a, b, ...others] = corpusOf(plan, buildTrialTable(plan, records));
  assert.deepEqual(others, [], 'a download is no page');
  assert.deepEqual(a, {
    workload: 'page-a',
    title: 'A',
    objectCount: 13,
    wireBytes: 2600,
    hostCount: 2,
    tbtMs: 35,
    types: facts.types,
    measured: true,
  });
  assert.deepEqual([b?.objectCount, b?.wireBytes, b?.types, b?.measured], [null, null, undefined, false]);
  const [before] = corpusOf(plan, buildTrialTable(plan, []));
  assert.deepEqual([before?.objectCount, before?.measured], [10, false]);
});
