import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machinePartsOf, withReasonCodes } from '../../../../src/core/model/before-codes.ts';
import {
  isLeftByBudget,
  failedOnlyByEmulatorLag,
  type TrialRecord,
} from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const [ok] = generateRun({}).records as [TrialRecord];
const late = 'the emulated path did not keep up: 9 of 100 packets up left more than 2 ms late';

const read = (status: TrialRecord['status'], reason: string, warnings: string[] = []): TrialRecord =>
  withReasonCodes({ ...ok, status, reason, warnings });

test('a run goes by records of before there were codes as it did then', () => {
  assert.ok(isLeftByBudget(read('not-run', 'budget')));
  assert.equal(read('failed', 'deadline').reasonCode, 'deadline');
  const lost = read('not-run', 'lease lost: the worker lab-2 fell silent');
  assert.deepEqual(
    [lost.reasonCode, lost.reasonFacts],
    ['lease-lost', { why: 'the worker lab-2 fell silent' }],
  );
  assert.ok(failedOnlyByEmulatorLag(read('invalid', late)));
  assert.ok(failedOnlyByEmulatorLag(read('invalid', late, ['the machine was busy', `also: ${late}`])));
  assert.ok(!failedOnlyByEmulatorLag(read('invalid', late, ['also: style.css came over h2, expected h3'])));
});

test('a reason without a known beginning keeps its text alone, and what has a code keeps it', () => {
  const unknown = read('failed', 'the browser ended: signal SIGSEGV');
  assert.deepEqual([unknown.reasonCode, unknown.reason], [undefined, 'the browser ended: signal SIGSEGV']);
  const newer = { ...ok, status: 'invalid' as const, reason: late, reasonCode: 'of-a-newer-version' };
  assert.equal(withReasonCodes(newer), newer);
});

test('a kept run of before names each part of its machine once, and one of today as it has them', () => {
  const machine = 'a machine · Caddy 2 · Caddy 2 · paths: link';
  assert.deepEqual(machinePartsOf({ machine }), ['a machine', 'Caddy 2', 'paths: link']);
  assert.deepEqual(machinePartsOf({ machine, machineParts: ['a · b'] }), ['a · b']);
});
