import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostLease, neededLeases } from '../../../../src/app/workers/needed-leases.ts';
import { leasesOf } from '../../../../src/core/model/lease.ts';
import { writtenReason } from '../../../../src/core/model/reasons.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { furtherInstrumentedBlocks } from '../../../../src/plan/blocks.ts';
import { generateRun } from '../../../support/generated-run.ts';

const run = generateRun({ blocks: 6, networks: ['host', 'other'] });
/** Four blocks and two spare ones. */
const plan = { ...run.plan, repetitions: 4 };

function needed(lost: readonly string[]): { needed: string[]; idle: string[] } {
  const trials = new Set(
    leasesOf(plan)
      .filter(({ leaseId }) => lost.includes(leaseId))
      .map(({ trials: [first] }) => first?.trialId),
  );
  const records = run.records.map((record): TrialRecord =>
    trials.has(record.trialId)
      ? { ...record, status: 'not-run', ...writtenReason(lostLease('its worker fell silent')) }
      : record,
  );
  const found = neededLeases(
    leasesOf(plan),
    plan.repetitions,
    new Map(records.map((record) => [record.trialId, record])),
  );
  const ids = (leases: typeof found.needed): string[] => leases.map(({ leaseId }) => leaseId).sort();
  return { needed: ids(found.needed), idle: ids(found.idle) };
}

test('without a loss spare blocks are idle', () => {
  assert.equal(needed([]).needed.length, 8);
  assert.deepEqual(needed([]).idle, ['b004-g0', 'b004-g1', 'b005-g0', 'b005-g1']);
});

test('for a lost lease the first spare one of the same conditions stands in', () => {
  assert.deepEqual(needed(['b001-g1']).idle, ['b004-g0', 'b005-g0', 'b005-g1']);
  assert.ok(needed(['b001-g1']).needed.includes('b004-g1'));
});

test('a spare one that is lost is replaced too, as long as there are any', () => {
  assert.deepEqual(needed(['b001-g1', 'b004-g1']).idle, ['b004-g0', 'b005-g0']);
  assert.deepEqual(needed(['b000-g1', 'b001-g1', 'b002-g1']).idle, ['b004-g0', 'b005-g0']);
});

test('recorded blocks are all needed, stand in for none, and none stands in for them', () => {
  const evidence = furtherInstrumentedBlocks(
    plan,
    new Set(plan.conditions.map(({ conditionId }) => conditionId)),
    1,
  );
  const leases = leasesOf({ ...plan, trials: [...evidence, ...plan.trials] });
  assert.deepEqual(
    leases.slice(0, 2).map(({ leaseId }) => leaseId),
    ['e006-g0', 'e006-g1'],
    'they run in the order of the plan',
  );
  const found = neededLeases(leases, plan.repetitions, new Map());
  const ids = found.needed.map(({ leaseId }) => leaseId);
  assert.ok(ids.includes('e006-g0') && ids.includes('e006-g1'));
  assert.equal(ids.length, 10);
  assert.deepEqual(found.idle.map(({ leaseId }) => leaseId).sort(), [
    'b004-g0',
    'b004-g1',
    'b005-g0',
    'b005-g1',
  ]);
});
