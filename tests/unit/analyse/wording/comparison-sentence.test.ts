import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonSentence } from '../../../../src/analyse/wording/comparison-sentence.ts';
import { counted, percent, pText, quantity } from '../../../../src/analyse/figures/figures.ts';
import { reasonOf, writtenReason } from '../../../../src/core/model/reasons.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';

const arm = (label: string, median: number): Comparison['baseline'] => ({
  arm: label,
  n: 8,
  median,
  quartiles: [median, median],
  minimum: median,
  maximum: median,
});

const worse: Comparison = {
  workload: 'page-a',
  workloadKind: 'page',
  client: 'chromium',
  network: 'host',
  server: 'caddy',
  metric: 'pltMs',
  unit: 'ms',
  higherIsBetter: false,
  instrumentation: 'uninstrumented',
  primary: true,
  family: 'primary-page',
  exploratory: false,
  baseline: arm('h2', 760),
  candidate: arm('h3', 812.4),
  blocks: 8,
  ratio: 1.071,
  ratioInterval: [1.04, 1.112],
  difference: 52,
  differenceInterval: [30, 80],
  ratioInterval95: [1.04, 1.112],
  differenceInterval95: [30, 80],
  margin: 0.03,
  pValue: 0.0078125,
  adjustedPValue: 0.0078125,
  pBeyondMargin: 0.0078125,
  pEquivalent: 1,
  adjustedPEquivalent: 1,
  test: 'signed-rank',
  cliffsDelta: 1,
  verdict: 'worse',
  warnings: [],
  values: [],
};
const names = {
  baseline: 'HTTP/2',
  candidate: 'HTTP/3',
  place: '',
  title: 'page load time',
  workload: (id: string) => id,
};

test('a verdict is told with effect, medians, interval, p and blocks', () => {
  assert.equal(
    comparisonSentence(worse, names),
    'HTTP/3 is worse than HTTP/2: page load time is 7.1 % longer, median 812 ms against 760 ms (95 % interval 4.0 % to 11 % longer, adjusted p = 0.008, 8 blocks).',
  );
});

test('equivalence names the margin and the place', () => {
  const sentence = comparisonSentence(
    { ...worse, verdict: 'equivalent', ratio: 0.996, ratioInterval: [0.98, 1.0104] },
    { ...names, place: 'Page A, firefox' },
  );
  assert.match(
    sentence,
    /^Page A, firefox: HTTP\/3 and HTTP\/2 are equivalent: .* margin of 3 % \(estimate 0\.4 % shorter/,
  );
});

test('equivalence names the tests that decide where the one shown reaches out of the margin', () => {
  const reachingOut: Comparison = {
    ...worse,
    verdict: 'equivalent',
    ratio: 0.99,
    ratioInterval: [0.96, 1.01],
  };
  assert.match(
    comparisonSentence(reachingOut, names),
    /8 blocks\)\. Two one-sided tests decide this, not the interval\.$/,
  );
  assert.doesNotMatch(
    comparisonSentence({ ...reachingOut, ratioInterval: [0.98, 1.01] }, names),
    /one-sided/,
  );
});

test('indecision gives the reason and the blocks that would decide', () => {
  const undecided: Comparison = {
    ...worse,
    verdict: 'inconclusive',
    reason: 'interval crosses the margin',
    blocksNeeded: [18, 40],
  };
  assert.match(
    comparisonSentence(undecided, names),
    /not decided .* Reason: interval crosses the margin\. A decision may need 18 to 40 blocks/,
  );
  const empty: Comparison = { ...undecided, ...writtenReason(reasonOf('no-pairs')), blocks: 0 };
  assert.match(comparisonSentence(empty, names), /no block with a value in both arms\.$/);
  assert.match(
    comparisonSentence(
      { ...empty, ratio: null, difference: null, ...writtenReason(reasonOf('unequal-losses')) },
      names,
    ),
    /no block with a value in both arms\. Reason: unequal losses\.$/,
  );
  const endless: Comparison = { ...worse, ratio: Infinity, ratioInterval: [Infinity, Infinity] };
  assert.doesNotMatch(comparisonSentence(endless, names), /Infinity|NaN/);
});

test('differences are told in the unit, rates are higher or lower, another level is named', () => {
  const rate: Comparison = {
    ...worse,
    ratio: null,
    ratioInterval: null,
    unit: 'Mbit/s',
    metric: 'throughputMbps',
    difference: -12.34,
    differenceInterval: [-20, 0],
  };
  const sentence = comparisonSentence({ ...rate, intervalLevel: 0.9886 }, names);
  assert.match(sentence, /is 12\.3 Mbit\/s lower/);
  assert.match(sentence, /98\.9 % interval 0 Mbit\/s to 20 Mbit\/s lower,/);
});

test('medians are left out where they hold blocks that the effect does not', () => {
  const sentence = comparisonSentence({ ...worse, candidate: { ...worse.candidate, n: 9 } }, names);
  assert.match(sentence, /page load time is 7\.1 % longer \(95 %/);
});

test('an interval names its side once, the smaller end first, and both sides where no change lies between', () => {
  for (const [interval, words] of [
    [[0.89, 0.96], '4.0 % to 11 % shorter'],
    [[0.98, 1.018], '2.0 % shorter to 1.8 % longer'],
    [[0.9998, 1.018], '0.0 % to 1.8 % longer'],
    [[0.982, 1.0002], '0.0 % to 1.8 % shorter'],
    [[0.9999, 1.0002], '0.0 % to 0.0 %'],
  ] as const) {
    const sentence = comparisonSentence({ ...worse, ratioInterval: [...interval] }, names);
    assert.ok(sentence.includes(`(95 % interval ${words}, adjusted`), sentence);
  }
});

test('figures are short and never flatter', () => {
  assert.deepEqual([percent(0.0714), percent(-0.1234), percent(0.0997)], ['7.1 %', '12 %', '10 %']);
  assert.deepEqual(
    [quantity(1234.5, 'ms'), quantity(-0.01234, ''), quantity(5, 'Mbit/s')],
    ['1235 ms', '0.0123', '5 Mbit/s'],
  );
  assert.deepEqual(
    [pText(0.0004), pText(0.0078125), pText(0.04999), pText(1)],
    ['p < 0.001', 'p = 0.008', 'p = 0.050', 'p = 1.00'],
  );
  assert.deepEqual([counted(1, 'block'), counted(0, 'block')], ['1 block', '0 blocks']);
});

test('what is open or equivalent says the smallest change that the run finds', () => {
  for (const verdict of ['inconclusive', 'equivalent'] as const) {
    const told = (smallestDetectable: number | null): string =>
      comparisonSentence({ ...worse, verdict, smallestDetectable }, names);
    assert.match(told(0.054), / 8 blocks usually detect a change of 5\.4 % or more\.$/);
    assert.match(told(3), /usually detect a change to 4 times or more/);
    assert.doesNotMatch(told(null), /is found by/);
  }
  assert.doesNotMatch(comparisonSentence({ ...worse, smallestDetectable: 0.05 }, names), /is found by/);
});
