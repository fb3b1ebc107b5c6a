import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureEffect } from '../../../../src/analyse/comparison/effect.ts';
import {
  worstOf,
  worstRankCase,
  worstRankFigures,
  type LostBlock,
} from '../../../../src/analyse/comparison/worst-rank.ts';
import { locationTests } from '../../../../src/analyse/statistics/location-test.ts';

const effectOf = (ratios: readonly number[]): ReturnType<typeof measureEffect> =>
  measureEffect(
    ratios.map((ratio, blockIndex) => ({ blockIndex, baseline: 100, candidate: 100 * ratio })),
    { form: 'ratio', margin: 0.03 },
    locationTests['signed-rank'],
  );
const candidate = { arm: 'candidate', host: '' } as const;
const baseline = { arm: 'baseline', host: '' } as const;
const faster = effectOf([0.9, 0.91, 0.89, 0.92, 0.88, 0.905, 0.895, 0.9]);

test('nothing lost, nothing to repeat', () => {
  assert.equal(worstRankCase(faster, [], { baseline: 0, candidate: 0 }, false), null);
});

test('a lost trial takes the largest rank against the arm that lost it', () => {
  const p = (lost: LostBlock[]): number =>
    worstRankCase(faster, lost, { baseline: 1, candidate: 1 }, false)?.effect.margins?.pBeyondMargin ?? NaN;
  const before = faster.margins?.pBeyondMargin ?? NaN;
  assert.ok(p([candidate]) > before, 'against the candidate that looked better');
  assert.ok(p([baseline]) <= before, 'against the baseline it speaks for the candidate');
  const rates = worstRankCase(faster, [candidate], { baseline: 0, candidate: 1 }, true);
  assert.ok((rates?.effect.effects.at(-1) ?? 0) < 0, 'of a rate the worst is the lowest');
});

test('a trial that was only delayed takes the worst value seen, which is a figure', () => {
  const delayed: LostBlock = { ...candidate, atWorst: { baseline: 100, candidate: 104 } };
  const worst = worstRankCase(faster, [delayed], { baseline: 0, candidate: 1 }, false);
  assert.ok(Math.abs((worst?.effect.effects.at(-1) ?? 0) - Math.log(1.04)) < 1e-12);
  assert.equal(worst?.effect.differences.at(-1), 4);
  const noRatio: LostBlock = { ...candidate, atWorst: { baseline: 0, candidate: 104 } };
  const beyond = worstRankCase(faster, [noRatio], { baseline: 0, candidate: 1 }, false);
  assert.ok((beyond?.effect.effects.at(-1) ?? 0) > 0.2, 'without a ratio the largest rank');
});

test('an estimate among the lost is no figure, one among the seen is', () => {
  const some = worstRankCase(faster, [candidate], { baseline: 0, candidate: 1 }, false);
  assert.ok(some !== null && Math.abs((worstRankFigures(some, 0.95).ratio ?? 0) - 0.9) < 0.02);
  const most = Array.from({ length: 12 }, () => candidate);
  const lost = worstRankCase(faster, most, { baseline: 0, candidate: 12 }, false);
  assert.ok(lost !== null);
  const figures = worstRankFigures(lost, 0.95);
  assert.deepEqual([figures.ratio, figures.ratioInterval, figures.lostCandidate], [null, null, 12]);
});

test('the worst of a site is its largest time, and its smallest rate', () => {
  assert.equal(worstOf([3, 9, 4], false), 9);
  assert.equal(worstOf([3, 9, 4], true), 3);
  assert.equal(worstOf([], true), null);
});
