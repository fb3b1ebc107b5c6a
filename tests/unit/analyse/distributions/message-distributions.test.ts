import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { messageSeries } from '../../../../src/analyse/derive/message-series.ts';
import { messageDistributions } from '../../../../src/analyse/distributions/message-distributions.ts';
import type { MessageSpread } from '../../../../src/core/model/message-spread.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { messageSession } from '../../../support/message-session.ts';

const workloads = [{ id: 'messages-100b-10ms', kind: 'messages' }] as const;
const held = [50, 50, 100, 90, 80, 70, 60, 50, 50, 50, 50];

function spreadsOf(alter: (record: TrialRecord) => TrialRecord): readonly MessageSpread[] {
  const { plan, records } = generateRun({ workloads, blocks: 3, alter });
  return messageDistributions(plan.arms, buildTrialTable(plan, records)).messages ?? [];
}

function withMessages(record: TrialRecord, delaysMs: readonly (number | null)[]): TrialRecord {
  const metrics = messageSeries(messageSession(delaysMs));
  metrics['messageP99Ms'] = Math.max(...delaysMs.map((ms) => ms ?? 0));
  return { ...record, metrics };
}

test('the messages of all valid trials of an arm make one distribution, with what was lost and what waited', () => {
  const [first, second] = spreadsOf((record) =>
    record.blockIndex === 2
      ? { ...record, status: 'invalid', reason: 'x' }
      : withMessages(record, record.arm === 'h2' ? held : [50, null, 50]),
  );
  assert.deepEqual([first?.trials, first?.sent, first?.lost, first?.behind], [2, 22, 0, 8]);
  assert.deepEqual([first?.quantilesMs[0], first?.quantilesMs[100], first?.quantilesMs[200]], [50, 50, 100]);
  assert.deepEqual([second?.trials, second?.sent, second?.lost, second?.behind], [2, 6, 2, 0]);
});

test('the trial that is shown is the one whose slowest messages are most usual', () => {
  const [first] = spreadsOf((record) =>
    withMessages(
      record,
      [
        [50, 60],
        [50, 80],
        [50, 300],
      ][record.blockIndex] ?? [],
    ),
  );
  assert.equal(first?.blockIndex, 1);
  assert.deepEqual(first.samples, [
    [0, 50, false],
    [10, 80, false],
  ]);
});

test('a run without messages has none', () => {
  const { plan, records } = generateRun({ workloads: [{ id: 'video', kind: 'video' }], blocks: 3 });
  assert.deepEqual(messageDistributions(plan.arms, buildTrialTable(plan, records)), {});
});
