import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable, recordsInOrder } from '../../../../src/analyse/comparison/trial-table.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { reasonOf, writtenReason, type Reason } from '../../../../src/core/model/reasons.ts';
import { generateRun, type GeneratedRun } from '../../../support/generated-run.ts';

const delayed = {
  startedAt: '2026-01-01T00:00:00.000Z',
  reason: 'the emulated path did not keep up: 63 of 3280 packets up left more than 2 ms late',
};

/** A run of one page in which the first so many trials of each arm were run again. */
function runWith(again: Readonly<Record<string, number>>): GeneratedRun {
  const met = new Map<string, number>();
  return generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    blocks: 10,
    slowdown: { h3: 0.5 },
    alter: (record) => {
      const before = met.get(record.arm) ?? 0;
      met.set(record.arm, before + 1);
      return before < (again[record.arm] ?? 0) ? { ...record, earlierTries: [delayed] } : record;
    },
  });
}

test('trials that were run again alike often count with what the last try measured', () => {
  const { plan, records } = runWith({ h2: 4, h3: 3 });
  const table = buildTrialTable(plan, records);
  assert.deepEqual(table.warnings, []);
  assert.ok(recordsInOrder(table).every(({ status }) => status === 'ok'));
});

test('where one arm was run again far more often its trials are lost, and the verdict must bear that', () => {
  const { plan, records } = runWith({ h3: 6 });
  const table = buildTrialTable(plan, records);
  const lost = recordsInOrder(table).filter(({ status }) => status === 'invalid');
  assert.deepEqual(
    [lost.length, lost[0]?.arm, lost[0]?.reason],
    [6, 'h3', `not delayed alike in all arms: ${delayed.reason}`],
  );
  assert.match(
    table.warnings.join(),
    /disturbed 0 trials of h2 and 6 of h3, which is not alike \(p = 0\.031\)/,
  );
  const verdictOf = (run: GeneratedRun): string | undefined =>
    summarise(run.plan, run.records, null, []).comparisons.find(({ primary }) => primary)?.verdict;
  assert.equal(verdictOf(runWith({ h2: 3, h3: 3 })), 'better');
  assert.equal(verdictOf({ plan, records }), 'inconclusive');
});

test('a trial that only a late path invalidated counts as the worst value seen, any other loss as worse than all', () => {
  const verdictWith = (reason: Reason): string | undefined => {
    const { plan, records } = generateRun({
      workloads: [{ id: 'page-a', kind: 'page' }],
      blocks: 7,
      slowdown: { h3: 0.5 },
      alter: (record) =>
        record.arm === 'h3' && record.trialId.startsWith('b3-')
          ? { ...record, status: 'invalid', ...writtenReason(reason), metrics: {} }
          : record,
    });
    assert.equal(records.filter(({ status }) => status === 'invalid').length, 1);
    return summarise(plan, records, null, []).comparisons.find(({ primary }) => primary)?.verdict;
  };
  assert.equal(verdictWith(reasonOf('path-delayed')), 'better');
  assert.equal(verdictWith(reasonOf('wrong-protocol')), 'inconclusive');
});

test('five against none can be chance', () => {
  const { plan, records } = runWith({ h2: 5 });
  assert.deepEqual(buildTrialTable(plan, records).warnings, []);
});
