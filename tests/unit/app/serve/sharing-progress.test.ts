import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharingOf } from '../../../../src/app/serve/sharing-progress.ts';
import { lostLease } from '../../../../src/app/workers/needed-leases.ts';
import { writtenReason } from '../../../../src/core/model/reasons.ts';
import { leasesOf } from '../../../../src/core/model/lease.ts';
import { namesOf } from '../../../../src/core/model/names.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const queue = { runId: 'ab', spareBlocks: 1, lostAfterMs: 60_000 };

test('leases of hosts are told as done, under way and lost, with medians and without verdicts', () => {
  const { plan, records } = generateRun({ blocks: 5, plan: { queue, repetitions: 4 } });
  const names = namesOf({ workloads: plan.workloads, environment: null });
  const byTrial = new Map(records.map((record) => [record.trialId, record]));
  const [done, lost, begun] = leasesOf(plan).map(({ trials }) =>
    trials.map(({ trialId }) => byTrial.get(trialId) as TrialRecord),
  );
  const [first, ...rest] = lost as TrialRecord[];
  const known = [
    ...(done as TrialRecord[]).map((record) => ({ ...record, host: 'lab-1' })),
    { ...(first as TrialRecord), host: 'lab-2' },
    ...rest.map((record) => ({
      ...record,
      host: 'lab-2',
      status: 'not-run' as const,
      ...writtenReason(lostLease('the worker lab-2 fell silent')),
      metrics: {},
    })),
    { ...(begun as TrialRecord[])[0], host: 'lab-1' } as TrialRecord,
  ];
  const sharing = sharingOf({ plan, names, records: new Map(known.map((one) => [one.trialId, one])) });
  assert.ok(sharing);
  const { needed, underWay, spareLeft, hosts, lostLeases } = sharing;
  // The spare block stands in for the lost one, so five are needed and none is left.
  assert.deepEqual([needed, sharing.done, underWay, spareLeft], [5, 1, 1, 0]);
  assert.deepEqual(lostLeases, [
    { leaseId: 'b001-g0', host: 'lab-2', reason: 'the worker lab-2 fell silent' },
  ]);
  const [one, two] = hosts;
  assert.deepEqual([one?.host, one?.leasesDone, one?.leasesUnderWay, one?.ok], ['lab-1', 1, 1, 5]);
  assert.deepEqual([two?.host, two?.leasesLost, two?.ok, two?.lost], ['lab-2', 1, 1, 0]);
  assert.ok(one?.medians.length === 4 && one.medians.every(({ median }) => median > 500));
  assert.doesNotMatch(JSON.stringify(sharing), /verdict|interval/i);
});

test('a run of one machine shares nothing', () => {
  const { plan, records } = generateRun();
  const names = namesOf({ workloads: plan.workloads, environment: null });
  const all = new Map(records.map((record) => [record.trialId, { ...record, host: 'lab-1' }]));
  assert.equal(sharingOf({ plan, names, records: all }), undefined);
});
