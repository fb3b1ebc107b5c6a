import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationTests } from '../../../../src/analyse/statistics/location-test.ts';
import { pairedSpread } from '../../../../src/analyse/statistics/paired-spread.ts';
import { equalRatesP, rateInterval } from '../../../../src/analyse/statistics/poisson-rates.ts';
import { quantileInterval } from '../../../../src/analyse/statistics/quantile-interval.ts';
import { proportionInterval } from '../../../support/proportion-interval.ts';
import { siteHeterogeneity } from '../../../../src/analyse/statistics/site-heterogeneity.ts';
import { fitTwoWay } from '../../../../src/analyse/statistics/two-way-fit.ts';
import { wilcoxonSignedRank } from '../../../../src/analyse/statistics/wilcoxon-signed-rank.ts';
import fixtures from './scipy-fixtures.json' with { type: 'json' };

const close = (actual: number | null | undefined, expected: number, tolerance = 1e-9): void => {
  assert.ok(Math.abs((actual ?? NaN) - expected) <= tolerance, `expected ${expected}, got ${actual}`);
};

test('signed-rank p of ties and of shifted samples are those of all sign patterns', () => {
  for (const { sample, greater, less, two } of fixtures.tiedSignedRank) {
    const result = wilcoxonSignedRank(sample);
    close(result.pGreater, greater);
    close(result.pLess, less);
    close(result.pValue, two);
  }
  for (const { sample, shift, greater, less } of fixtures.shiftedSignedRank) {
    const result = wilcoxonSignedRank(sample, shift);
    close(result.pGreater, greater);
    close(result.pLess, less);
  }
});

test('ratios of counts tie as the counts do', () => {
  const { baseline, candidate, two } = fixtures.countRatios;
  const effects = baseline.map((count, i) => Math.log(candidate[i] as number) - Math.log(count));
  close(wilcoxonSignedRank(effects).pValue, two);
});

test('the one-sample t test and its interval are those of ttest_1samp', () => {
  for (const { sample, shift, greater, less, interval95 } of fixtures.oneSampleT) {
    const tails = locationTests.t.tails(sample, shift);
    close(tails?.pGreater, greater);
    close(tails?.pLess, less);
    const [interval] = locationTests.t.locate(sample, [0.95]).intervals;
    interval95.forEach((end, i) => close(interval?.[i], end));
  }
});

test('the two-way fit with lost cells is the least-squares fit', () => {
  const { cells, siteEffects, blockValues, residualSumOfSquares, residualDegreesOfFreedom } = fixtures.twoWay;
  const fit = fitTwoWay(cells, siteEffects.length);
  siteEffects.forEach((effect, s) => close(fit.siteEffects[s], effect));
  blockValues.forEach((value, b) => close(fit.blocks[b]?.value, value));
  close(
    fit.residuals.reduce((sum, { value }) => sum + value ** 2, 0),
    residualSumOfSquares,
  );
  assert.equal(fit.residualDegreesOfFreedom, residualDegreesOfFreedom);
});

test('heterogeneity of a whole table is the F test of the sites', () => {
  const { values, pValue, siteSd } = fixtures.balancedTwoWay;
  const cells = values.flatMap((row, site) => row.map((value, block) => ({ site, block, value })));
  const found = siteHeterogeneity(fitTwoWay(cells, values.length), 0.03, 0.05);
  close(found.pValue, pValue, 1e-7);
  close(found.siteSd, siteSd);
  assert.ok(found.sitesLikeThese !== null);
});

test('proportions have the interval of Clopper and Pearson', () => {
  for (const { events, trials, low, high } of fixtures.clopperPearson) {
    const interval = proportionInterval(events, trials, 0.95);
    close(interval?.[0], low);
    close(interval?.[1], high);
  }
});

test('the interval of a Poisson rate is that of its chi-squared form, and two rates are compared as by binomtest', () => {
  for (const { baseline, candidate, interval95, equal } of fixtures.poissonRates) {
    const interval = rateInterval(baseline, 0.95);
    interval95.forEach((end, i) => close(interval?.[i], end));
    close(equalRatesP(baseline, candidate), equal);
  }
});

test('the interval of a quantile is that of quantile_test, and missing where that one has no end', () => {
  for (const { sample, quantile, interval95 } of fixtures.quantileIntervals) {
    const interval = quantileInterval(sample, quantile, 0.95);
    if (interval95 === null) assert.equal(interval, null, `p${100 * quantile} of ${sample.length}`);
    else interval95.forEach((end, i) => close(interval?.[i], end));
  }
  const missing = fixtures.quantileIntervals.filter(({ interval95 }) => interval95 === null);
  assert.ok(missing.length > 0 && missing.length < fixtures.quantileIntervals.length);
});

test('a change of spread has the signed-rank p of the deviations from both medians', () => {
  for (const { baseline, candidate, ratio, two } of fixtures.pairedSpreads) {
    const pairs = baseline.map((value, i) => ({ baseline: value, candidate: candidate[i] as number }));
    const change = pairedSpread(pairs);
    close(change?.ratio, ratio);
    close(change?.pValue, two);
  }
});
