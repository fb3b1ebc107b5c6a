import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumentationAsymmetries } from '../../../../src/analyse/calibrate/instrumentation-asymmetry.ts';
import { armPairs } from '../../../../src/analyse/comparison/arm-pairs.ts';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { asymmetryOfRun, contrastOf } from '../../../../src/analyse/comparison/overhead.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { armsAA, armsH2H3, generateRun, type GeneratedRunOptions } from '../../../support/generated-run.ts';

const runs = [1, 2];

const onePage = { workloads: [{ id: 'page-a', kind: 'page' }], blocks: 12, seed: 5 } as const;

function comparisonsOf(options: GeneratedRunOptions): (metric: string) => Comparison {
  const { plan, records } = generateRun({ ...onePage, recordedBlocks: 'all', ...options });
  const { comparisons } = summarise(plan, records, null, []);
  return (metric) => comparisons.find((one) => one.metric === metric) ?? assert.fail(`no ${metric}`);
}

test('times are judged from timed trials alone, and what only recording gives from recorded ones', () => {
  const of = comparisonsOf({ instrumentationOverhead: { h2: 1.2, h3: 1.5 } });
  const load = of('pltMs');
  const index = of('speedIndexMs');
  assert.equal(load.instrumentation, 'uninstrumented');
  assert.equal(load.instrumentationOverhead, undefined);
  assert.ok(Math.abs((load.ratio ?? 0) - 1) < 0.05, `timed loads are alike: ${load.ratio}`);
  assert.equal(index.instrumentation, 'instrumented');
  assert.ok(Math.abs((index.ratio ?? 0) - 1.25) < 0.06, `recorded ones are not: ${index.ratio}`);
});

test('a difference that recording alone made is none', () => {
  const index = comparisonsOf({ instrumentationOverhead: { h2: 1.2, h3: 1.5 } })('speedIndexMs');
  assert.deepEqual([index.verdict, index.reason], ['inconclusive', 'recording may have made it']);
  assert.ok(Math.abs((index.instrumentationOverhead?.ratio ?? 0) - 1.25) < 0.06);
  assert.ok(
    (index.instrumentationOverhead?.bound ?? 0) > 0.25 && (index.instrumentationOverhead?.bound ?? 0) < 0.4,
  );
  assert.equal(index.instrumentationOverhead?.source, 'run');
});

test('a difference beyond margin and recording is one, whatever recording costs both arms alike', () => {
  const of = comparisonsOf({ slowdown: { h3: 1.4 }, instrumentationOverhead: { h2: 1.3, h3: 1.3 } });
  assert.equal(of('pltMs').verdict, 'worse');
  assert.equal(of('speedIndexMs').verdict, 'worse');
});

test('likeness is claimed only where recording cannot have made it', () => {
  const hidden = comparisonsOf({ slowdown: { h3: 1 / 1.25 }, instrumentationOverhead: { h2: 1, h3: 1.25 } });
  assert.equal(hidden('speedIndexMs').verdict, 'inconclusive', 'recording levelled the arms');
  assert.equal(hidden('pltMs').verdict, 'better');
  const alike = comparisonsOf({ noise: 0.003, blocks: 16 });
  assert.equal(alike('speedIndexMs').verdict, 'equivalent');
});

test('without timed trials it is not known what recording made, and nothing is judged', () => {
  const lost = comparisonsOf({
    slowdown: { h3: 2 },
    alter: (record) =>
      record.instrumentation === 'uninstrumented'
        ? { ...record, status: 'failed', reason: 'deadline', reasonCode: 'deadline', metrics: {} }
        : record,
  })('speedIndexMs');
  assert.deepEqual([lost.verdict, lost.reason], ['inconclusive', 'recording not measured']);
});

test('of few recorded blocks values are described, and nothing else is said of them', () => {
  const { plan, records } = generateRun({ ...onePage, recordedBlocks: 'all' });
  const few = plan.trials.filter(
    ({ instrumentation, blockIndex }) => instrumentation === 'uninstrumented' || blockIndex < 2,
  );
  const { comparisons } = summarise({ ...plan, trials: few }, records, null, []);
  const index = comparisons.find(({ metric }) => metric === 'speedIndexMs');
  assert.deepEqual([index?.baseline.n, index?.candidate.n, index?.verdict], [2, 2, 'inconclusive']);
  assert.match(index?.reason ?? '', /too few blocks/);
  assert.equal(comparisons.find(({ metric }) => metric === 'pltMs')?.blocks, 12);
});

test('an arm that alone was recorded is named, and not compared', () => {
  const { plan, records } = generateRun({ ...onePage, arms: armsAA, recordedBlocks: 'all' });
  const alone = plan.trials.filter(
    ({ arm, instrumentation }) => (instrumentation === 'instrumented') === (arm === 'h2#2'),
  );
  const { comparisons } = summarise({ ...plan, trials: alone }, records, null, []);
  const load = comparisons.find(({ metric }) => metric === 'pltMs');
  assert.deepEqual([load?.verdict, load?.reason], ['inconclusive', 'only h2#2 was recorded']);
});

test('without a block of its own a run takes what was measured on its machine beforehand', () => {
  const calibrated = runs.map((seed) => ({
    ...generateRun({
      ...onePage,
      seed,
      recordedBlocks: 'all',
      instrumentationOverhead: { h2: 1.2, h3: 1.3 },
    }),
    environment: null,
  }));
  const [measured, ...others] = instrumentationAsymmetries(calibrated);
  assert.deepEqual(others, []);
  assert.ok(measured);
  assert.deepEqual([measured.baseline, measured.candidate, measured.blocks], ['h2', 'h3', 24]);
  assert.ok(Math.abs(measured.ratio - 1.3 / 1.2) < 0.02, String(measured.ratio));
  const { plan, records } = generateRun({ ...onePage, recordedBlocks: 'all', slowdown: { h3: 2 } });
  const recorded = plan.trials.filter(({ instrumentation }) => instrumentation === 'instrumented');
  const environment = { ...environmentFixture(['chromium'], ['host']), instrumentationOverhead: [measured] };
  const indexOf = (known: typeof environment | null): Comparison | undefined =>
    summarise({ ...plan, trials: recorded }, records, known, []).comparisons.find(
      ({ metric }) => metric === 'speedIndexMs',
    );
  assert.equal(indexOf(null)?.reason, 'recording not measured');
  assert.deepEqual(
    [indexOf(environment)?.verdict, indexOf(environment)?.instrumentationOverhead?.source],
    ['worse', 'calibration'],
  );
});

const drivenPage = {
  workloads: [
    { id: 'page-a', kind: 'page' },
    { id: 'page-a@journey', kind: 'journey' },
  ],
  blocks: 12,
} as const;

/** The first step of a journey loads its page, and its library slows HTTP/2 by a fifth and HTTP/3 by a half. */
function drivenSteps(record: TrialRecord): TrialRecord {
  if (record.workload !== 'page-a@journey') return record;
  const slower = record.arm === 'h3' ? 1.5 : 1.2;
  const pltMs = slower * Number(record.metrics.journeyMs ?? Number.NaN);
  return {
    ...record,
    steps: [
      { name: 'open', metrics: { pltMs } },
      { name: 'search', metrics: {} },
    ],
  };
}

test('a journey over unlike protocols is judged only where it is known what its library adds to each', () => {
  const [measured, ...others] = instrumentationAsymmetries(
    runs.map((seed) => ({ ...generateRun({ ...drivenPage, seed, alter: drivenSteps }), environment: null })),
  );
  assert.deepEqual(others, []);
  assert.ok(measured);
  assert.deepEqual([measured.of, measured.workloadKind, measured.blocks], ['driver', 'journey', 24]);
  assert.ok(Math.abs(measured.ratio - 1.5 / 1.2) < 0.03, String(measured.ratio));
  const journey = { workloads: [drivenPage.workloads[1]], blocks: 12, seed: 5 };
  const journeyOf = (
    slowdown: number,
    instrumentationOverhead: (typeof measured)[],
    arms = armsH2H3,
  ): Comparison => {
    const { plan, records } = generateRun({ ...journey, arms, slowdown: { h3: slowdown } });
    const environment = { ...environmentFixture(['chromium'], ['host']), instrumentationOverhead };
    const { comparisons } = summarise(plan, records, environment, []);
    return comparisons.find(({ metric }) => metric === 'journeyMs') ?? assert.fail('no journeyMs');
  };
  const unknown = journeyOf(2, []);
  assert.equal(unknown.verdict, 'inconclusive');
  assert.match(
    unknown.reason ?? '',
    /library adds to each protocol was not measured \(h2h3 calibrate --script\)/,
  );
  assert.deepEqual(
    [journeyOf(2, [measured]).verdict, journeyOf(2, [measured]).instrumentationOverhead?.source],
    ['worse', 'calibration'],
  );
  const within = journeyOf(1.2, [measured]);
  assert.deepEqual([within.verdict, within.reason], ['inconclusive', 'recording may have made it']);
  assert.equal(journeyOf(1, [], armsAA).verdict, 'equivalent', 'of one protocol it slows both arms alike');
});

test('the bound of what recording makes covers what it made in 95 of 100 runs', () => {
  let covered = 0;
  const samples = 200;
  for (let seed = 0; seed < samples; seed++) {
    const { plan, records } = generateRun({
      ...onePage,
      seed,
      blocks: 6,
      recordedBlocks: 'all',
      instrumentationOverhead: { h2: 1.2, h3: 1.3 },
    });
    const table = buildTrialTable(plan, records);
    const [pair] = armPairs(plan);
    assert.ok(pair);
    const found = asymmetryOfRun(table.conditions, table.recorded, contrastOf(pair));
    if ((found?.bound ?? 0) >= Math.log(1.3 / 1.2)) covered++;
  }
  assert.ok(covered >= 0.92 * samples, `${covered} of ${samples}`);
});

test('where requests wait for headers or blocking, protocols are judged only where it is known what that adds to each', () => {
  const header = {
    of: 'header',
    workloadKind: 'page',
    client: 'chromium',
    network: 'loopback',
    baseline: 'h2',
    candidate: 'h3',
    ratio: 1.1,
    bound: 0.2,
    blocks: 12,
  } as const;
  const loadOf = (
    slowdown: number,
    instrumentationOverhead: readonly (typeof header)[],
    live: NonNullable<Plan['live']>,
  ): Comparison => {
    const { plan, records } = generateRun({ ...onePage, slowdown: { h3: slowdown } });
    const environment = {
      ...environmentFixture(['chromium'], ['host']),
      instrumentationOverhead: [...instrumentationOverhead],
    };
    const { comparisons } = summarise({ ...plan, live }, records, environment, []);
    return comparisons.find(({ metric }) => metric === 'pltMs') ?? assert.fail('no pltMs');
  };
  const headers = { headers: ['X-Pass: ${OWN_PASS}'] };
  const unknown = loadOf(2, [], headers);
  assert.equal(unknown.verdict, 'inconclusive');
  assert.match(unknown.reason ?? '', /a header, a cookie or a log-in adds to each protocol was not measured/);
  assert.equal(loadOf(2, [], {}).verdict, 'worse', 'nothing is asked');
  assert.deepEqual(
    [loadOf(2, [header], headers).verdict, loadOf(2, [header], headers).instrumentationOverhead?.source],
    ['worse', 'calibration'],
  );
  const within = loadOf(1.15, [header], headers);
  assert.deepEqual([within.verdict, within.reason], ['inconclusive', 'recording may have made it']);
  assert.match(loadOf(2, [header], { block: ['/ads/'] }).reason ?? '', /--block adds/);
});
