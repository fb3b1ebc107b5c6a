import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreementOf, publishedResults } from '../../../../src/analyse/studies/published-results.ts';
import { measuredRun } from '../../../../src/analyse/studies/study-run.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { PublishedFigure, PublishedResult } from '../../../../src/core/model/published.ts';
import type { StudyCell } from '../../../../src/core/model/study-run.ts';
import { summarySchema } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { figure, measured, ofH3, plan } from '../../../support/measured-study.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

/** The gap between protocols on one network compared with that on another. */
function gapOn(network: string, from: string): Pick<PublishedFigure, 'compare' | 'against'> {
  const armsOn = (where: string): [{ arm: string; network: string }, { arm: string; network: string }] => [
    { arm: 'h2', network: where },
    { arm: 'h3', network: where },
  ];
  return { compare: armsOn(network), against: armsOn(from) };
}

test('a direction that every condition has is the same, the opposite is other, and an even split decides nothing', () => {
  assert.equal(measured({}, ofH3(0.8)).agreement, 'same');
  assert.equal(measured({}, ofH3(0.8)).ours.length, 4);
  assert.equal(measured({}, ofH3(1.25)).agreement, 'other');
  assert.equal(measured({}, ofH3(1)).agreement, 'other', 'no difference is shown where one was published');
  const slowAlone = (cell: StudyCell): number => (cell.arm === 'h3' && cell.network === 'slow' ? 0.8 : 1);
  const split = measured({}, slowAlone);
  assert.deepEqual([split.agreement, split.sides], ['undecided', { same: 2, other: 2, of: 4 }]);
  const three = (cell: StudyCell): number =>
    cell.arm === 'h3' && (cell.network === 'slow' || cell.workload === 'small') ? 0.8 : 1;
  const most = measured({}, three);
  assert.deepEqual([most.agreement, most.sides], ['same', { same: 3, other: 1, of: 4 }]);
  assert.equal(measured({}, ofH3(0.8)).sides, undefined);
  assert.equal(measured({ networks: ['slow'] }, slowAlone).agreement, 'same');
  assert.equal(measured({ expects: undefined }, ofH3(0.8)).agreement, 'no direction');
  assert.equal(measured({ workloads: ['none'] }, ofH3(0.8)).agreement, 'not measured');
});

test('what most comparisons say decides, of one that agrees and any number that do not as well', () => {
  const noisy = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? (block % 2 === 0 ? 0.6 : 1.5) : 1;
  assert.equal(measured({}, noisy).agreement, 'undecided');
  const sure = (cell: StudyCell, block: number): number =>
    cell.network === 'slow' ? ofH3(0.8)(cell) : noisy(cell, block);
  const result = measured({}, sure);
  assert.deepEqual([result.agreement, result.sides], ['undecided', { same: 2, other: 0, of: 4 }]);
  assert.match(result.price ?? '', /blocks/);
  assert.equal(
    agreementOf([
      { outcome: 'other', blocks: 8 },
      { outcome: 'undecided', blocks: 8 },
    ]),
    'undecided',
  );
  const outcomes = (...those: ('same' | 'other')[]): ReturnType<typeof agreementOf> =>
    agreementOf(those.map((outcome) => ({ outcome, blocks: 8 })));
  assert.equal(outcomes('same', 'other', 'other'), 'other');
  assert.equal(outcomes('same', 'same', 'other'), 'same');
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
  assert.doesNotMatch(result.ours[0]?.place ?? 'slow', /slow|fast/);
  assert.match(result.ours[0]?.text ?? '', /fast against slow: −/);
});

test('a change is set against another: a gap that grows', () => {
  const gap = (cell: StudyCell): number => (cell.arm === 'h3' ? (cell.network === 'fast' ? 0.5 : 0.9) : 1);
  const of = gapOn('fast', 'slow');
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

test('a trial that only a late path lost turns no direction that all others share, also of a gap against a gap', () => {
  const lossy =
    (factor: number) =>
    (cell: StudyCell, block: number): number | null =>
      cell.arm === 'h3' && block === 0 ? null : ofH3(factor)(cell);
  const delayed = (cell: StudyCell): StudyCell => (cell.arm === 'h3' ? { ...cell, delayed: [0] } : cell);
  const one = { networks: ['slow'], workloads: ['small'] };
  assert.equal(measured(one, lossy(0.8)).agreement, 'undecided');
  assert.equal(measured(one, lossy(0.8), delayed).agreement, 'same');
  const gap = { ...gapOn('slow', 'fast'), workloads: ['small'] };
  const slowAlone = (cell: StudyCell, block: number): number | null =>
    lossy(cell.network === 'slow' ? 0.8 : 1)(cell, block);
  assert.equal(measured(gap, slowAlone).agreement, 'undecided');
  assert.equal(measured(gap, slowAlone, delayed).agreement, 'same');
});

test('the size lies in our interval, or so far from it, or cannot be compared', () => {
  assert.match(measured({ size: { percent: -20 } }, ofH3(0.8)).sizeWords, /inside all 4/);
  assert.match(
    measured({ size: { percent: [-30, -10] } }, ofH3(0.8)).sizeWords,
    /^all 4 intervals inside the published range/,
  );
  const one = { networks: ['slow'], workloads: ['small'] };
  assert.match(
    measured({ ...one, size: { percent: [-90, -10] } }, ofH3(0.8)).sizeWords,
    /^our interval inside the published range/,
  );
  const { interval } = measured(one, ofH3(0.8)).ours[0] ?? assert.fail();
  const [low, high] = (interval ?? assert.fail()).map((end) => 100 * end) as [number, number];
  assert.equal(
    measured({ ...one, size: { percent: [-90, (low + high) / 2] } }, ofH3(0.8)).sizeWords,
    'published range overlaps our interval',
  );
  assert.equal(
    measured({ ...one, size: { percent: [-90, low] } }, ofH3(0.8)).sizeWords,
    'published range only touches our interval',
  );
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

test('the size of what was published as no difference is told next to ours, wherever it lies: its margin judges', () => {
  const of = {
    expects: 'equivalent',
    size: { percent: -2 },
    networks: ['slow'],
    workloads: ['small'],
  } satisfies Partial<PublishedFigure>;
  const near = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? 0.99 + 0.002 * ((block % 3) - 1) : 1;
  const one = measured(of, near);
  assert.equal(one.agreement, 'same');
  assert.match(one.sizeWords, /^published −2\.0 %, ours −1\.\d to −0\.\d %, judged by the margin$/);
  const more = measured({ ...of, size: { candidate: [120, 130] }, workloads: ['small', 'large'] }, near);
  assert.match(more.sizeWords, /^published 120 to 130 Mbit\/s, ours 9[\d.]+ to [\d.]+ Mbit\/s over 2 comp/);
});

test('where a value of zero leaves no ratio the difference is given in its own unit, and the line says why', () => {
  const run = plannedStudyRun(plan, {
    value: (cell, metric, block) =>
      metric !== 'browserCpuPercent' ? null : cell.arm === 'h3' ? 30 + (block % 3) : block === 0 ? 0 : 10,
  });
  const cpu = { ...figure, metric: 'browserCpuPercent', networks: ['slow'], workloads: ['small'] };
  const [result] = publishedResults([{ ...cpu, size: { percent: 99 } }], measuredRun(run));
  assert.equal(result?.ours[0]?.form, 'difference');
  assert.match(
    result.ours[0].text,
    /: \+2\d(\.\d)? percentage points \(.* percentage points, so wide by one block\), 10 → 31 %, 8 blocks, a difference because a value of zero has no ratio$/,
  );
  assert.equal(result.sizeWords, 'not comparable: a value of zero has no ratio');
});

test('where the medians move the other way than the change within blocks, the line says whose medians they are', () => {
  const of = { networks: ['slow'], workloads: ['small'] } satisfies Partial<PublishedFigure>;
  // Within each block h3 is higher, but for the blocks that decide the medians.
  const levels = { h2: [1, 2, 3, 10, 10, 11, 12, 13], h3: [1.1, 2.2, 3.3, 9.8, 9.8, 12.1, 13.2, 14.3] };
  const opposite = measured(of, ({ arm }, block) => levels[arm === 'h3' ? 'h3' : 'h2'][block % 8] ?? 1);
  assert.match(opposite.ours[0]?.text ?? '', /: \+\d.* → 9\d\d Mbit\/s \(medians of all blocks\)/);
  const alike = measured(of, ({ arm }) => (arm === 'h3' ? 2 : 1));
  assert.doesNotMatch(alike.ours[0]?.text ?? 'medians of all blocks', /medians of all blocks/);
});

/** A price as its parts. */
function priceOf(result: PublishedResult | undefined): { blocks: number; minutes: number } {
  const [, blocks, minutes] = /^about (\d+) blocks, (\d+) min more$/.exec(result?.price ?? '') ?? [];
  assert.ok(blocks !== undefined && minutes !== undefined, result?.price ?? 'no price');
  return { blocks: Number(blocks), minutes: Number(minutes) };
}

const place = { networks: ['slow'], workloads: ['small'] };
/** Of a run of 8 blocks in a minute: ratios about 0.9 that vary by 10 %. */
const wavering = (cell: StudyCell, block: number): number =>
  cell.arm === 'h3' ? 0.9 + 0.1 * Math.sin(2 * block) : 1;

test('a price follows from how wide the interval is now, by the root of the blocks, and what a block of that run took', () => {
  const result = measured(place, wavering);
  assert.equal(result.agreement, 'undecided');
  const [low, high] = (result.ours[0]?.interval ?? [0, 0]).map(Math.log1p) as [number, number];
  const effect = Math.log1p(result.ours[0]?.effect ?? 0);
  // An interval of 95 % that ends at the margin decides half of the runs; for 80 % it must be 1.43 times as narrow.
  const beyond = Math.abs(effect) - Math.log1p(0.03);
  const needed = Math.ceil(8 * (((high - low) / 2) * (1.43 / beyond)) ** 2);
  const { blocks, minutes } = priceOf(result);
  assert.ok(Math.abs(blocks - needed) <= 1, `${blocks} blocks, ${needed} expected`);
  assert.equal(minutes, Math.ceil(((blocks - 8) * 60) / 8 / 60));
});

test('a price is of blocks of the whole run: a comparison that has fewer of them costs no less', () => {
  const run = plannedStudyRun(plan, {
    value: (cell, metric, block) => (metric === 'throughputMbps' ? 100 * wavering(cell, block) : null),
  });
  const shortened = run.cells.map((cell) => ({ ...cell, blocks: cell.blocks.slice(0, 6) }));
  const [result] = publishedResults([{ ...figure, ...place }], measuredRun({ ...run, cells: shortened }));
  const { blocksNeeded } = result?.ours[0] ?? {};
  assert.ok(typeof blocksNeeded === 'number' && blocksNeeded > 6);
  assert.equal(priceOf(result).blocks, Math.ceil((8 * blocksNeeded) / 6));
});

test('beyond 200 blocks a price says no more than that it is more, and too few blocks for an interval are priced too', () => {
  const hardly = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? (block % 2 === 0 ? 0.6 : 1.5) : 1;
  assert.equal(measured(place, hardly).price, 'more than 200 blocks, more than 24 min');
  const run = plannedStudyRun(plan, {
    value: (cell, metric, block) => (metric === 'throughputMbps' ? 100 * wavering(cell, block) : null),
    blocks: 4,
  });
  const [few] = publishedResults([{ ...figure, ...place }], measuredRun(run));
  assert.equal(few?.price, 'at least 6 blocks, 1 min more');
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
  const pages = generateRun({ recordedBlocks: 'all' }).plan;
  const run = plannedStudyRun(pages, {
    value: (cell, metric, block) =>
      metric === 'speedIndexMs' ? (cell.arm === 'h3' ? 110 : 100) + block : null,
  });
  const [unknown] = publishedResults([speed], measuredRun(run));
  assert.equal(unknown?.agreement, 'undecided');
  const instrumentationOverhead = (bound: number): typeof run.instrumentationOverhead =>
    pages.conditions.map(({ workload, client, network, server }) => ({
      workload,
      client,
      network,
      server,
      baseline: 'h2',
      candidate: 'h3',
      bound,
    }));
  const [small] = publishedResults(
    [speed],
    measuredRun({ ...run, instrumentationOverhead: instrumentationOverhead(0.01) }),
  );
  assert.equal(small?.agreement, 'same');
  const [large] = publishedResults(
    [speed],
    measuredRun({ ...run, instrumentationOverhead: instrumentationOverhead(0.2) }),
  );
  assert.equal(large?.agreement, 'undecided');
  const share = { ...speed, atMost: 109 };
  const [sure] = publishedResults(
    [share],
    measuredRun({ ...run, instrumentationOverhead: instrumentationOverhead(0.005) }),
  );
  assert.equal(sure?.agreement, 'same');
  const [unsure] = publishedResults(
    [share],
    measuredRun({ ...run, instrumentationOverhead: instrumentationOverhead(0.2) }),
  );
  assert.equal(unsure?.ours[0]?.reason, 'recording may have made it');
});

test('a direction must lie beyond the margin, and a shown equivalence contradicts it on either side of zero', () => {
  const place = { networks: ['slow'], workloads: ['small'] };
  // The margin of throughput is 3 %: 2 % less with hardly any noise is no difference, and 4 % less is one.
  assert.equal(measured(place, ofH3(0.98)).agreement, 'other');
  assert.equal(measured(place, ofH3(1.02)).agreement, 'other');
  assert.equal(measured(place, ofH3(0.96)).agreement, 'same');
  const near = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? 0.965 + 0.02 * Math.sin(block) : 1;
  const open = measured(place, near);
  assert.ok((open.ours[0]?.interval?.[1] ?? 0) < 0, 'the interval is on one side of zero');
  assert.equal(open.agreement, 'undecided', 'and crosses the margin');
});

test('where the set-up lacks what the effect needs nothing is judged, and the reason has both', () => {
  const needs = (atMost: number): Partial<PublishedFigure> => ({
    networks: ['slow'],
    workloads: ['small'],
    requires: { side: 'h2', atMost, what: 'the link must have room' },
  });
  const absent = measured(needs(90), ofH3(0.8));
  assert.equal(absent.agreement, 'precondition absent');
  assert.equal(absent.absent, 'the link must have room, and here it is 100 Mbit/s');
  assert.equal(absent.ours[0]?.outcome, 'none');
  assert.equal(absent.price, undefined);
  assert.equal(measured(needs(110), ofH3(0.8)).agreement, 'same');
});

test('a size agrees where it lies in our interval, and is not comparable where the set-ups are unlike', () => {
  const place = { networks: ['slow'], workloads: ['small'] };
  const sizeAt = (more: Partial<PublishedFigure>): boolean | null | undefined =>
    measured({ ...place, ...more }, ofH3(0.8)).sizeAgrees;
  assert.equal(sizeAt({ size: { percent: -20 } }), true);
  assert.equal(sizeAt({ size: { percent: -50 } }), false);
  assert.equal(sizeAt({ size: { percent: [-40, -10] } }), true);
  assert.equal(sizeAt({ size: { percent: [-19, -10] } }), false, 'our estimate lies outside');
  assert.equal(sizeAt({ size: { percent: -20 }, unlike: 'a tenth of the bytes' }), null);
  assert.equal(sizeAt({}), null);
  assert.equal(
    measured({ ...place, expects: 'equivalent', size: { percent: 0 } }, ofH3(1)).sizeAgrees,
    null,
    'no difference has no size but its margin',
  );
});

test('a claim of several clients that one client ran is marked', () => {
  assert.equal(measured({ overClients: true }, ofH3(0.8)).oneClient, true);
  assert.equal(measured({}, ofH3(0.8)).oneClient, undefined);
});

test('an interval that one block makes so wide says so', () => {
  const place = { networks: ['slow'], workloads: ['small'] };
  const stalled = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? (block === 5 ? 0.1 : 0.9) : 1;
  const [one] = measured(place, stalled).ours;
  assert.equal(one?.byOneBlock, true);
  assert.match(one.change, /, so wide by one block\)$/);
  assert.equal(measured(place, ofH3(0.9)).ours[0]?.byOneBlock, undefined);
});
