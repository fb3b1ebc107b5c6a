import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { primaryFamilies } from '../../../../src/analyse/forecast/decidability.ts';
import type { Arm, Plan } from '../../../../src/core/model/plan.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import type { Comparison, Summary } from '../../../../src/core/model/summary.ts';
import { audienceFixture } from '../../../support/audience-fixture.ts';
import { gaussian, generateRun, armsAA, armsH2H3 } from '../../../support/generated-run.ts';

interface Truth {
  readonly shares: readonly number[];
  /** Candidate ÷ baseline of each segment. */
  readonly ratios: readonly number[];
  readonly blocks?: number;
  readonly noise?: number;
  readonly leftOut?: number;
  readonly arms?: readonly Arm[];
  readonly workloads?: readonly { readonly id: string; readonly kind: 'page' }[];
  readonly alter?: (record: TrialRecord) => TrialRecord | undefined;
}

function runOf(truth: Truth): { readonly plan: Plan; readonly summary: Summary } {
  const { shares, ratios, blocks = 12, noise = 0.01, leftOut = 0, arms = armsH2H3 } = truth;
  const random = seededRandom(7);
  const { plan, records } = generateRun({
    workloads: truth.workloads ?? [{ id: 'page-a', kind: 'page' }],
    networks: shares.map((_, index) => `audience-${index + 1}`),
    arms,
    blocks,
    plan: { audience: audienceFixture(shares, leftOut) },
    alter: (record) => {
      const segment = Number(record.network.slice('audience-'.length)) - 1;
      const ratio = record.arm === arms[1]?.label ? (ratios[segment] ?? 1) : 1;
      const pltMs = 1000 * (segment + 1) * ratio * Math.exp(noise * gaussian(random));
      const metrics = Object.assign({}, record.metrics, { pltMs });
      const altered: TrialRecord = { ...record, metrics };
      return truth.alter === undefined ? altered : truth.alter(altered);
    },
  });
  return { plan, summary: summarise(plan, records, null, []) };
}

function primaryOf({ comparisons }: Summary): Comparison {
  const primaries = comparisons.filter(({ primary }) => primary);
  assert.equal(primaries.length, 1);
  return primaries[0] as Comparison;
}

const near = (value: number | null | undefined, expected: number, tolerance: number): void =>
  assert.ok(Math.abs((value ?? NaN) - expected) <= tolerance, `${value} is not ${expected}`);

test('one primary comparison has the weighted mean of the segments’ log ratios', () => {
  const { plan, summary } = runOf({ shares: [0.7, 0.2, 0.1], ratios: [0.9, 1, 1.1] });
  const comparison = primaryOf(summary);
  assert.deepEqual([comparison.network, comparison.workload, comparison.blocks], ['audience', 'pooled', 12]);
  near(comparison.ratio, Math.exp(0.7 * Math.log(0.9) + 0.1 * Math.log(1.1)), 0.005);
  const [low, high] = comparison.ratioInterval95 ?? [0, 0];
  assert.ok(low < (comparison.ratio ?? 0) && (comparison.ratio ?? 0) < high);
  assert.equal(primaryFamilies(plan)[0]?.comparisons, 1);
  assert.equal(primaryFamilies(plan)[0]?.test, comparison.test);
});

test('the workloads of a segment share its page views', () => {
  const { summary } = runOf({
    shares: [0.8, 0.2],
    ratios: [0.8, 1],
    workloads: [
      { id: 'page-a', kind: 'page' },
      { id: 'page-b', kind: 'page' },
    ],
  });
  near(primaryOf(summary).ratio, 0.8 ** 0.8, 0.005);
  assert.equal(summary.audience?.answers[0]?.loads, 48);
});

test('the first screen, the answer and the result speak of the users', () => {
  const { summary } = runOf({ shares: [0.7, 0.3], ratios: [0.8, 0.9] });
  assert.match(summary.firstScreen.headline, /^For your users: /);
  assert.match(
    summary.firstScreen.detail,
    /100 % of page views gain 100 ms or more on average \(certain: 100 %, possible: 100 %\)/,
  );
  assert.match(summary.answers[0]?.sentence ?? '', /^For your users, with HTTP\/3 instead of HTTP\/2/);
  const [answer] = summary.audience?.answers ?? [];
  near(answer?.segments[0]?.ratio, 0.8, 0.01);
  near(answer?.segments[1]?.difference, -200, 30);
  near(answer?.measuredShare, 1, 1e-9);
});

test('who gains and who loses is told by segment, and what is too near to 100 ms stays open', () => {
  // −200 ms, +300 ms, and −98 ms of 3000 ms with noise of 30 ms a trial.
  const { summary } = runOf({ shares: [0.5, 0.3, 0.2], ratios: [0.8, 1.15, 1 - 98 / 3000] });
  const noticeable = summary.audience?.answers[0]?.noticeable;
  near(noticeable?.gaining.interval[0], 0.5, 1e-9);
  near(noticeable?.gaining.interval[1], 0.7, 1e-9);
  assert.deepEqual(
    noticeable?.losing.interval.map((share) => Number(share.toFixed(6))),
    [0.3, 0.3],
  );
  assert.equal(primaryOf(summary).verdict, 'mixed');
  assert.match(summary.firstScreen.headline, /^For your users: pages load 7\.\d % faster on average/);
});

test('the parts add up to the whole, as ratios and in ms, and losers are named', () => {
  const { summary } = runOf({
    shares: [0.35, 0.25, 0.4],
    ratios: [0.8, 0.9, 1.2],
    workloads: [
      { id: 'page-a', kind: 'page' },
      { id: 'page-b', kind: 'page' },
    ],
  });
  const [answer] = summary.audience?.answers ?? [];
  assert.ok(answer);
  const { segments, whole } = answer;
  const sum = (of: (part: { ratio: number | null; difference: number | null }) => number): number =>
    segments.flatMap(({ workloads }) => workloads).reduce((all, part) => all + part.share * of(part), 0);
  near(
    sum(({ ratio }) => Math.log(ratio ?? NaN)),
    Math.log(whole.ratio ?? NaN),
    1e-9,
  );
  near(
    sum(({ difference }) => difference ?? NaN),
    whole.difference ?? NaN,
    1e-6,
  );
  near(whole.ratio, primaryOf(summary).ratio ?? NaN, 1e-9);
  near(whole.difference, primaryOf(summary).meanDifference ?? NaN, 1e-6);
  assert.match(
    summary.audience?.noticeableSentences[1] ?? '',
    /^40 % lose as much .*: page-a over .*, page-b over /i,
  );
  assert.ok(summary.audience?.coverageSentences.includes('The pages of a segment count alike.'));
});

test('a run that stopped early has the level of its look in every interval', () => {
  const { plan, records } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: [1, 2, 3, 4, 5].map((index) => `audience-${index}`),
    blocks: 20,
    slowdown: { h3: 0.8 },
    plan: { audience: audienceFixture([0.2, 0.2, 0.2, 0.2, 0.2]), interims: [4, 6, 20] },
  });
  const first = records.filter(({ blockIndex }) => blockIndex < 4);
  const summary = summarise(plan, first, null, []);
  const { blocks, verdict, intervalLevel } = primaryOf(summary);
  assert.deepEqual([blocks, verdict], [4, 'better']);
  assert.ok((intervalLevel ?? 0) > 0.98);
  const [answer] = summary.audience?.answers ?? [];
  assert.equal(answer?.level, intervalLevel);
  assert.ok(answer?.segments.every(({ ratioInterval }) => ratioInterval !== null));
  assert.ok(
    answer?.quantiles.every(({ difference }) => difference === null),
    'four blocks give no interval',
  );
  assert.match(summary.answers[0]?.sentence ?? '', /The run stopped once that was sure/);
});

test('a mean that is better is mixed where one page of one segment is worse', () => {
  const { summary } = runOf({ shares: [0.4, 0.3, 0.2, 0.1], ratios: [0.8, 0.8, 0.8, 1.2], blocks: 6 });
  const { verdict, heterogeneity } = primaryOf(summary);
  assert.equal(verdict, 'mixed');
  assert.ok(heterogeneity?.sites.some(({ decided }) => decided === 'worse'));
});

test('the same arm twice: hardly a verdict, and no user gains', () => {
  const { summary } = runOf({
    shares: [0.5, 0.3, 0.2],
    ratios: [1, 1, 1],
    arms: armsAA,
    noise: 0.1,
    blocks: 10,
  });
  assert.ok(!['better', 'worse'].includes(primaryOf(summary).verdict));
  const noticeable = summary.audience?.answers[0]?.noticeable;
  assert.deepEqual([noticeable?.gaining.interval[0], noticeable?.losing.interval[0]], [0, 0]);
});

test('more than a fifth left out: no verdict, with the share', () => {
  const { summary } = runOf({ shares: [0.5, 0.25], ratios: [0.8, 0.8], leftOut: 0.25 });
  const comparison = primaryOf(summary);
  assert.deepEqual([comparison.verdict, comparison.reasonCode], ['inconclusive', 'audience-left-out']);
  assert.match(comparison.reason ?? '', /25 % of the audience was not measured/);
  assert.equal(
    primaryOf(runOf({ shares: [0.5, 0.3], ratios: [0.8, 0.8], leftOut: 0.2 }).summary).verdict,
    'better',
  );
});

test('a segment that this machine could not measure is left out, too', () => {
  const without = (share: number): Comparison =>
    primaryOf(
      runOf({
        shares: [1 - share, share],
        ratios: [0.8, 0.8],
        alter: (record) =>
          record.network === 'audience-2' ? { ...record, status: 'unsupported', metrics: {} } : record,
      }).summary,
    );
  assert.equal(without(0.3).reasonCode, 'audience-left-out');
  assert.equal(without(0.1).verdict, 'better');
});

test('an audience of one segment is an audience', () => {
  const { summary } = runOf({ shares: [1], ratios: [0.8] });
  assert.deepEqual([primaryOf(summary).network, primaryOf(summary).verdict], ['audience', 'better']);
});

test('a metric without a mean of ratios has no answer for all users, and the run says so', () => {
  const audience = audienceFixture([0.6, 0.4]);
  const { plan, records } = generateRun({
    workloads: [{ id: 'film', kind: 'video' }],
    networks: audience.conditions.map(({ network }) => network),
    plan: { audience, primary: { video: 'qoeVmaf' } },
  });
  const summary = summarise(plan, records, null, []);
  assert.deepEqual(summary.audience?.answers, []);
  assert.equal(summary.comparisons.filter(({ network }) => network === 'audience').length, 0);
  assert.match(
    summary.audience?.coverageSentences.join(' ') ?? '',
    /No single answer for all users \(video\): .* is compared by difference, and each segment has a verdict of its own\./,
  );
});
