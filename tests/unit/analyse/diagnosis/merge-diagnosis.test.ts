import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeDiagnosis } from '../../../../src/analyse/diagnosis/merge-diagnosis.ts';
import type { Diagnosis } from '../../../../src/core/model/diagnosis.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';

function diagnosis(changes: Partial<Diagnosis>): Diagnosis {
  return {
    workload: 'download-100mb',
    metric: 'totalRequestTimeMs',
    client: 'c',
    network: 'n',
    server: 's',
    baselineArm: 'h2',
    candidateArm: 'h3',
    differenceMs: 100,
    unexplainedMs: 10,
    timed: { differenceMs: 90, interval: [80, 100], blocks: 8 },
    parts: [{ cause: 'transfer', ms: 90, interval: [80, 100], evidence: 'medians', confirmed: false }],
    stages: [],
    ...changes,
  };
}

function counted(metric: string, ratio: number, ratioInterval: [number, number]): Comparison {
  return {
    workload: 'download-100mb',
    client: 'c',
    network: 'n',
    server: 's',
    metric,
    ratio,
    ratioInterval,
    baseline: { arm: 'h2' },
    candidate: { arm: 'h3' },
  } as unknown as Comparison;
}

test('a download is divided as its diagnosis run says, with what was counted there', () => {
  const finer = diagnosis({
    differenceMs: 120,
    parts: [{ cause: 'receiver', ms: 110, interval: [90, 130], evidence: 'medians', confirmed: false }],
  });
  const [merged] = mergeDiagnosis(
    [diagnosis({})],
    [finer],
    [
      counted('syscalls', 5.87, [4, 8]),
      counted('packetsReceived', 1.1, [0.9, 1.3]),
      counted('pltMs', 3, [2, 4]),
    ],
  );
  assert.equal(merged?.differenceMs, 120);
  assert.deepEqual(
    merged?.parts.map(({ cause, evidence }) => [cause, evidence]),
    [['receiver', 'medians of a diagnosis run, 5.9 times the system calls']],
  );
});

test('what the run itself could not divide comes from its diagnosis run', () => {
  const own = [diagnosis({})];
  const merged = mergeDiagnosis(own, [diagnosis({ network: 'other' })], []);
  assert.deepEqual(
    merged.map(({ network, parts }) => [network, parts[0]?.evidence]),
    [
      ['n', 'medians'],
      ['other', 'medians of a diagnosis run'],
    ],
  );
});

test('what the diagnosis run did not find stays as the run itself says', () => {
  const own = [diagnosis({}), diagnosis({ workload: 'page-a', metric: 'pltMs' })];
  assert.deepEqual(
    mergeDiagnosis(own, [diagnosis({ workload: 'page-a', metric: 'pltMs', differenceMs: 1 })], []),
    own,
  );
});
