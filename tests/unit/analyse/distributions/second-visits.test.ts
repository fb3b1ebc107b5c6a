import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

function metricsOf({ metrics, blockIndex, arm }: TrialRecord): TrialMetrics {
  const visited: TrialMetrics = { ...metrics };
  visited['objectCount'] = blockIndex === 0 ? 99 : 2;
  visited['cachedObjectCount'] = 5;
  visited['resumedHostShare'] = arm === 'h3' ? 0.5 : null;
  return visited;
}

test('a summary says what second visits had from the first, by arm, of valid trials only', () => {
  const { plan, records } = generateRun({ blocks: 4 });
  const [workload] = plan.workloads;
  const repeat = {
    ...plan,
    workloads: plan.workloads.map((each) =>
      each === workload ? { ...each, view: 'repeat' as const } : each,
    ),
  };
  const visited = records.map((record): TrialRecord => ({
    ...record,
    ...(record.blockIndex === 0 ? { status: 'invalid' as const, reason: 'a test' } : {}),
    metrics: metricsOf(record),
  }));
  const { secondVisits, corpus } = summarise(repeat, visited, null, []);
  assert.deepEqual(
    secondVisits?.map(({ workload: id, arm, trials, cachedObjectCount, objectCount, resumedHostShare }) => [
      id,
      arm,
      trials,
      cachedObjectCount,
      objectCount,
      resumedHostShare,
    ]),
    [
      [workload?.id, 'h2', 3, 5, 2, null],
      [workload?.id, 'h3', 3, 5, 2, 0.5],
    ],
  );
  assert.equal(
    corpus?.some((page) => page.workload === workload?.id),
    false,
    'the corpus is of whole pages',
  );
  assert.equal(summarise(plan, visited, null, []).secondVisits, undefined);
});
