import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { diagnose } from '../../../../src/analyse/diagnosis/diagnose.ts';
import type { Diagnosis } from '../../../../src/core/model/diagnosis.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const page = {
  workloads: [{ id: 'page-a', kind: 'page' }],
  blocks: 8,
  seed: 3,
  recordedBlocks: 'all',
} as const;

/** Recorded trials know their stages: all of the time is transfer here. */
function withStages(record: TrialRecord): TrialRecord {
  const { pltMs } = record.metrics;
  if (record.instrumentation === 'uninstrumented' || typeof pltMs !== 'number') return record;
  const metrics: TrialRecord['metrics'] = { ...record.metrics };
  metrics.stagesMs = { transfer: pltMs };
  return { ...record, metrics };
}

function diagnosesOf(slowdown: number, instrumentationOverhead: number): Diagnosis[] {
  const asked = {
    slowdown: { h3: slowdown },
    instrumentationOverhead: { h3: instrumentationOverhead },
    alter: withStages,
  };
  const { plan, records } = generateRun({ ...page, ...asked });
  return diagnose(plan, buildTrialTable(plan, records), 0.95);
}

test('parts explain the recorded difference, and the timed one stands beside it', () => {
  const [found] = diagnosesOf(1.5, 1.2);
  assert.ok(found);
  assert.ok(found.timed.differenceMs > 0);
  assert.ok(found.differenceMs > found.timed.differenceMs, 'recording adds to it');
  assert.ok(found.parts.some(({ stage }) => stage === 'transfer'));
});

test('a difference that recording turned round is not explained', () => {
  assert.deepEqual(diagnosesOf(1 / 1.5, 3), []);
});

test('a difference that recording alone made, or hid, is not explained', () => {
  assert.deepEqual(diagnosesOf(1, 1.5), []);
  assert.deepEqual(diagnosesOf(1.5, 1 / 1.5), []);
});
