import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { badNumbers } from '../../../support/bad-numbers.ts';
import { generateRun, type GeneratedRunOptions } from '../../../support/generated-run.ts';

function told(options: GeneratedRunOptions): Summary {
  const { plan, records } = generateRun(options);
  const summary = summarise(plan, records, null, []);
  assert.deepEqual(badNumbers(summary), []);
  return summary;
}

/** Page load times of the candidate as the function says. */
const withTimes =
  (time: (record: TrialRecord) => number) =>
  (record: TrialRecord): TrialRecord =>
    record.arm === 'h3' ? { ...record, metrics: { pltMs: time(record) } } : record;

function assertReasons(summary: Summary): void {
  const open = summary.comparisons.filter(({ primary, verdict }) => primary && verdict === 'inconclusive');
  assert.ok(open.length > 0);
  for (const { reason } of open) assert.ok(reason !== undefined && reason !== '', JSON.stringify(open));
}

const onePage = [{ id: 'page-a', kind: 'page' }] as const;

test('a single block and a single site are inconclusive with a reason', () => {
  assertReasons(told({ blocks: 1 }));
  assertReasons(told({ blocks: 1, workloads: onePage }));
  assert.ok(told({ workloads: onePage }).comparisons.every(({ workload }) => workload !== 'pooled'));
});

test('zero and negative times are compared without a logarithm', () => {
  for (const time of [0, -5]) {
    const { comparisons } = told({ workloads: onePage, alter: withTimes(() => time) });
    const primary = comparisons.find((one) => one.primary);
    assert.ok(primary);
    assert.equal(primary.ratio, null);
  }
});

test('an arm without any valid trial is inconclusive with a reason', () => {
  const lost = (record: TrialRecord): TrialRecord =>
    record.arm === 'h3' ? { ...record, status: 'failed', reason: 'lost', metrics: {} } : record;
  assertReasons(told({ alter: lost }));
  assertReasons(told({ alter: (record) => ({ ...lost({ ...record, arm: 'h3' }), arm: record.arm }) }));
});

test('infinite values are no values, and a ratio of 10^70 is still a number', () => {
  assertReasons(told({ workloads: onePage, alter: withTimes(() => Infinity) }));
  told({ workloads: onePage, alter: withTimes(() => 1e70) });
  told({ workloads: onePage, alter: withTimes(() => 1e-70) });
});

test('values at the ends of the range of numbers give a reason and a warning, no infinite figure', () => {
  const ends = [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE];
  for (const largest of [...ends, 1e150]) {
    const summary = told({ workloads: onePage, alter: withTimes(() => largest) });
    const primary = summary.comparisons.find((one) => one.primary);
    assert.ok(primary);
    if (Math.abs(largest) < 1) assert.equal(primary.ratio, null);
    else assert.match(primary.warnings.join(), /8 values left out: infinite or above/);
  }
  // One block of every kind, in a run that crosses two factors.
  const wild = (record: TrialRecord): TrialRecord => ({
    ...record,
    metrics: { pltMs: [...ends, 1e70, 1e-70, 0, 800, 900][record.blockIndex] ?? 1 },
  });
  for (const workloads of [onePage, [...onePage, { id: 'page-b', kind: 'page' } as const]])
    told({ workloads, arms: parseArms(['old:h2', 'old:h3', 'new:h2', 'new:h3']), alter: wild });
});

test('a plan that names its pairs has these compared, all of them primary, and no others', () => {
  const arms = parseArms(['h1', 'h2', 'h3']);
  const { comparisons } = told({
    arms,
    workloads: onePage,
    plan: {
      compare: [
        ['h2', 'h3'],
        ['h1', 'h3'],
      ],
    },
  });
  const pairs = (primary: boolean): string[] => [
    ...new Set(
      comparisons
        .filter((one) => one.primary === primary)
        .map(({ baseline, candidate }) => `${baseline.arm} ${candidate.arm}`),
    ),
  ];
  assert.deepEqual(pairs(true), ['h2 h3', 'h1 h3']);
  assert.deepEqual(new Set(pairs(false)), new Set(['h2 h3', 'h1 h3']));
});
