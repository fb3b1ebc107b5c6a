import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkingCpu } from '../../../../src/analyse/diagnosis/networking-cpu.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { trialRecord } from '../../../support/trial-record.ts';

const withCounters = (counters: Record<string, number>): TrialRecord => trialRecord({ counters });

const blocks = (candidateMs: readonly number[]) =>
  candidateMs.map((ms, index) => [
    {
      baseline: withCounters({ networkingCpuDecryptionMs: 100 + index, networkingCpuNotSeparableMs: 5 }),
      candidate: withCounters({ networkingCpuDecryptionMs: ms, networkingCpuNotSeparableMs: 5 }),
    },
  ]);

test('the stages of the networking process have the means of both arms and the interval of their difference', () => {
  const [found, ...others] = networkingCpu(blocks([200, 210, 205, 195, 200]), 0.95);
  assert.deepEqual([found?.by, found?.blocks, others.length], ['symbol', 5, 0]);
  const [decryption] = found?.stages ?? [];
  assert.deepEqual(
    [decryption?.id, decryption?.baselineMs, decryption?.candidateMs],
    ['decryption', 102, 202],
  );
  assert.ok(decryption && decryption.interval[0] > 80 && decryption.interval[1] < 120);
});

test('trials without samples, and too few blocks of them, have no stages', () => {
  assert.deepEqual(networkingCpu(blocks([200, 210]), 0.95), []);
  assert.deepEqual(networkingCpu([], 0.95), []);
});
