import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuSamplesOf, type CpuReading } from '../../../../harness/probes/cpu-samples.ts';

/** One process that had used so many seconds by then. */
function reading(atMs: number, userSeconds: number, systemSeconds = 0): CpuReading {
  const row = {
    pid: 7,
    parentPid: 1,
    groupId: 7,
    commandLine: 'client',
    zombie: false,
    userSeconds,
    systemSeconds,
    endedChildrenUserSeconds: 0,
    endedChildrenSystemSeconds: 0,
  };
  return { atMs, snapshot: new Map([[7, row]]) };
}

test('each sample is what was used since the one before, over the time that really passed', () => {
  const samples = cpuSamplesOf([reading(1000, 2), reading(1500, 2.25), reading(2100, 2.4, 0.15)]);
  assert.deepEqual(
    samples.map(({ tMs, percent }) => [tMs, Math.round(percent)]),
    [
      [500, 50],
      [1100, 50],
    ],
  );
});

test('a rest too short for the kernel’s hundredths is no sample, and a short load has none', () => {
  assert.equal(cpuSamplesOf([reading(0, 1), reading(500, 1.5), reading(600, 1.61)]).length, 1);
  assert.deepEqual(cpuSamplesOf([reading(0, 1), reading(40, 1.04)]), []);
});
