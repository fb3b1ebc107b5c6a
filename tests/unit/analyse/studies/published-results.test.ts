import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreementOf, publishedResults } from '../../../../src/analyse/studies/published-results.ts';
import { measuredRun } from '../../../../src/analyse/studies/study-run.ts';
import { summarise } from '../../../../src/analyse/summarise.ts';
import type { PublishedFigure, PublishedResult } from '../../../../src/model/published.ts';
import type { StudyCell } from '../../../../src/model/study-run.ts';
import { summarySchema } from '../../../../src/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

const figure: PublishedFigure = {
  study: 'Somebody et al. 2024',
  experiment: 'a download',
  metric: 'throughputMbps',
  figure: '20 % lower',
  machine: 'a fast one',
  source: 'figure 9',
  expects: 'worse',
};

const { plan } = generateRun({
  workloads: [
    { id: 'small', kind: 'download' },
    { id: 'large', kind: 'download' },
  ],
  networks: ['slow', 'fast'],
});

/** Rates of 100, times what a place and an arm have of these factors. */
function measured(
  of: Partial<PublishedFigure>,
  factor: (cell: StudyCell, block: number) => number | null,
): PublishedResult {
  const run = plannedStudyRun(plan, {
    value: (cell, metric, block) => {
      if (metric !== 'throughputMbps' && metric !== 'connectMs') return null;
      const by = factor(cell, block);
      return by === null
        ? null
        : 100 * by * (1 + 0.002 * ((block * 7 + cell.arm.length + cell.workload.length) % 5));
    },
  });
  const [result] = publishedResults([{ ...figure, ...of }], measuredRun(run));
  assert.ok(result !== undefined);
  return result;
}

const ofH3 = (factor: number) => (cell: StudyCell) => (cell.arm === 'h3' ? factor : 1);

test('a direction that every condition has is the same, one that some have is partly, the opposite is other', () => {
  assert.equal(measured({}, ofH3(0.8)).agreement, 'same');
  assert.equal(measured({}, ofH3(0.8)).ours.length, 4);
  assert.equal(measured({}, ofH3(1.25)).agreement, 'other');
  assert.equal(measured({}, ofH3(1)).agreement, 'other', 'no difference is shown where one was published');
  const slowAlone = (cell: StudyCell): number => (cell.arm === 'h3' && cell.network === 'slow' ? 0.8 : 1);
  assert.equal(measured({}, slowAlone).agreement, 'partly');
  assert.equal(measured({ networks: ['slow'] }, slowAlone).agreement, 'same');
  assert.equal(measured({ expects: undefined }, ofH3(0.8)).agreement, 'no direction');
  assert.equal(measured({ workloads: ['none'] }, ofH3(0.8)).agreement, 'not measured');
});

test('one that is not decided makes the whole partly, and all of them undecided', () => {
  const noisy = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? (block % 2 === 0 ? 0.6 : 1.5) : 1;
  assert.equal(measured({}, noisy).agreement, 'undecided');
  const sure = (cell: StudyCell, block: number): number =>
    cell.network === 'slow' ? ofH3(0.8)(cell) : noisy(cell, block);
  const result = measured({}, sure);
  assert.equal(result.agreement, 'partly');
  assert.match(result.price ?? '', /blocks/);
  assert.equal(
    agreementOf([
      { outcome: 'other', blocks: 8 },
      { outcome: 'undecided', blocks: 8 },
    ]),
    'other',
  );
});

test('no difference is shown by an interval within the margin, not by one that has zero in it', () => {
  const alike = { expects: 'equivalent' } as const;
  assert.equal(measured(alike, ofH3(1)).agreement, 'same');
  assert.equal(measured(alike, ofH3(0.8)).agreement, 'other');
  const noisy = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? (block % 2 === 0 ? 0.8 : 1.25) : 1;
  assert.equal(measured(alike, noisy).agreement, 'undecided');
});

test('sides of other conditions are paired block by block: one network against another', () => {
  const drift = (cell: StudyCell, block: number): number =>
    (1 + 0.5 * block) * (cell.network === 'fast' ? 0.9 : 1);
  const result = measured(
    {
      compare: [
        { arm: 'h3', network: 'slow' },
        { arm: 'h3', network: 'fast' },
      ],
    },
    drift,
  );
  assert.equal(result.agreement, 'same', 'a drift that both share leaves no noise');
  assert.equal(result.ours.length, 2);
  assert.ok(Math.abs((result.ours[0]?.effect ?? 0) + 0.1) < 0.02, String(result.ours[0]?.effect));
  assert.doesNotMatch(result.ours[0]?.place ?? '', /slow|fast/);
  assert.match(result.ours[0]?.text ?? '', /fast against slow: −/);
});

test('a change is set against another: a gap that grows', () => {
  const gap = (cell: StudyCell): number => (cell.arm === 'h3' ? (cell.network === 'fast' ? 0.5 : 0.9) : 1);
  const of: Partial<PublishedFigure> = {
    compare: [
      { arm: 'h2', network: 'fast' },
      { arm: 'h3', network: 'fast' },
    ],
    against: [
      { arm: 'h2', network: 'slow' },
      { arm: 'h3', network: 'slow' },
    ],
  };
  const result = measured(of, gap);
  assert.equal(result.agreement, 'same');
  assert.ok(Math.abs((result.ours[0]?.effect ?? 0) - (0.5 / 0.9 - 1)) < 0.03);
  assert.match(result.ours[0]?.text ?? '', /HTTP\/3 against HTTP\/2: fast compared with slow/);
  assert.equal(measured(of, ofH3(0.9)).agreement, 'other', 'the same gap in both is shown');
});

test('two metrics of one comparison are set against each other', () => {
  const of = {
    metric: 'connectMs',
    against: [
      { arm: 'h2', metric: 'throughputMbps' },
      { arm: 'h3', metric: 'throughputMbps' },
    ] as const,
    expects: 'equivalent',
  };
  const result = measured({ ...of, against: [...of.against], expects: 'equivalent' }, ofH3(0.8));
  assert.equal(result.agreement, 'same');
});

test('of several names the first that the plan has counts', () => {
  const of = { compare: [{ arm: ['h9', 'h2'] }, { arm: ['h3', 'h2'] }] } satisfies Partial<PublishedFigure>;
  assert.equal(measured(of, ofH3(0.8)).agreement, 'same');
});

test('workloads are pooled to one mean, and shares of loads are compared as shares', () => {
  const pooled = measured({ pool: true }, (cell) => (cell.workload === 'large' ? ofH3(0.64)(cell) : 1));
  assert.equal(pooled.ours.length, 2, 'a place for each network');
  assert.ok(Math.abs((pooled.ours[0]?.effect ?? 0) + 0.2) < 0.02);
  const shares = measured({ pool: true, atMost: 90, expects: 'better' }, ofH3(0.8));
  assert.equal(shares.agreement, 'same');
  assert.equal(shares.ours[0]?.form, 'difference');
  assert.equal(shares.ours[0].effect, 1);
});

test('lost trials that could turn the direction leave it undecided', () => {
  const lossy = (cell: StudyCell, block: number): number | null =>
    cell.arm === 'h3' && block < 3 ? null : ofH3(0.8)(cell);
  const result = measured({}, lossy);
  assert.equal(result.agreement, 'undecided');
  assert.match(result.ours[0]?.reason ?? '', /lost|needs/);
});

test('the size lies in our interval, or so far from it, or cannot be compared', () => {
  assert.match(measured({ size: { percent: -20 } }, ofH3(0.8)).sizeWords, /inside all 4/);
  assert.match(measured({ size: { percent: [-30, -10] } }, ofH3(0.8)).sizeWords, /inside all 4/);
  assert.match(
    measured({ size: { percent: -50 }, networks: ['slow'], workloads: ['small'] }, ofH3(0.8)).sizeWords,
    /published size (29|30) points below/,
  );
  assert.match(measured({ size: { candidate: 80 } }, ofH3(0.8)).sizeWords, /inside/);
  assert.equal(measured({}, ofH3(0.8)).sizeWords, 'no size published');
  assert.equal(
    measured({ size: { percent: -20 }, unlike: 'a tenth of the bytes' }, ofH3(0.8)).sizeWords,
    'not comparable: a tenth of the bytes',
  );
});

test('a run says of its published figures what it measured, and on which machine', () => {
  const generated = generateRun({
    workloads: [{ id: 'video', kind: 'video' }],
    networks: ['ethernet', '4g'],
    slowdown: { h3: 1.1 },
    plan: { published: [{ ...figure, metric: 'startupDelayMs', networks: ['ethernet'] }] },
  });
  const environment = environmentFixture(['chromium'], ['ethernet', '4g']);
  const [result, ...more] =
    summarySchema.parse(summarise(generated.plan, generated.records, environment, [])).published ?? [];
  assert.deepEqual(more, []);
  assert.deepEqual(
    result?.ours.map(({ place }) => place),
    ['video, Chromium 156, emulated path ethernet'],
    'the other network is not what they measured',
  );
  assert.equal(result?.agreement, 'same');
  assert.ok(result?.ourMachine.includes(environment.machine.cpuModel));
  const alone = generateRun();
  assert.equal(summarise(alone.plan, alone.records, null, []).published, undefined);
});

test('recorded times are judged with what recording may have made of them', () => {
  const speed: PublishedFigure = { ...figure, metric: 'speedIndexMs', expects: 'worse' };
  const pages = generateRun({ evidence: 'all' }).plan;
  const run = plannedStudyRun(pages, {
    value: (cell, metric, block) =>
      metric === 'speedIndexMs' ? (cell.arm === 'h3' ? 110 : 100) + block : null,
  });
  const [unknown] = publishedResults([speed], measuredRun(run));
  assert.equal(unknown?.agreement, 'undecided');
  const watching = (bound: number): typeof run.watching =>
    pages.conditions.map(({ workload, client, network, server }) => ({
      workload,
      client,
      network,
      server,
      baseline: 'h2',
      candidate: 'h3',
      bound,
    }));
  const [small] = publishedResults([speed], measuredRun({ ...run, watching: watching(0.01) }));
  assert.equal(small?.agreement, 'same');
  const [large] = publishedResults([speed], measuredRun({ ...run, watching: watching(0.2) }));
  assert.equal(large?.agreement, 'undecided');
});
