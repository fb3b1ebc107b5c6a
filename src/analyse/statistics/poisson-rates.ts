import gammaQuantile from '@stdlib/stats-base-dists-gamma-quantile';
import type { Interval } from './hodges-lehmann.ts';

/** Events seen in one block, and for how long (or in how many tries) one looked: exposure in a unit of the caller's. */
export interface EventCount {
  readonly events: number;
  readonly exposure: number;
}

/** Both arms of one block. */
export interface EventPair {
  readonly baseline: EventCount;
  readonly candidate: EventCount;
}

export function totalOf(counts: readonly EventCount[]): EventCount {
  return {
    events: counts.reduce((sum, { events }) => sum + events, 0),
    exposure: counts.reduce((sum, { exposure }) => sum + exposure, 0),
  };
}

/**
 * Exact two-sided interval of a Poisson rate (Garwood, Biometrika 28, 1936), events for each unit of exposure. Without any event the
 * upper end of a one-sided 95 % bound is 3.0 ÷ exposure, the rule of three. Null without exposure.
 *
 * @param events may be no whole number: a count that was divided by its dispersion
 * @param level of the interval, such as 0.95
 */
export function rateInterval({ events, exposure }: EventCount, level: number): Interval | null {
  if (exposure <= 0) return null;
  const outside = (1 - level) / 2;
  const low = events <= 0 ? 0 : gammaQuantile(outside, events, 1);
  return [low / exposure, gammaQuantile(1 - outside, events + 1, 1) / exposure];
}

/**
 * By how much counts of blocks vary more than independent events would: Pearson's χ² over both arms ÷ its degrees of freedom,
 * never below 1 (McCullagh & Nelder 1989, §6.2). Stalls come in clusters, and blocks are what is independent here.
 */
export function dispersionOf(pairs: readonly EventPair[]): number {
  let chiSquared = 0;
  let freedom = 0;
  for (const counts of [pairs.map(({ baseline }) => baseline), pairs.map(({ candidate }) => candidate)]) {
    const { events, exposure } = totalOf(counts);
    if (events === 0 || exposure <= 0) continue;
    const expectedOf = (count: EventCount): number => (events / exposure) * count.exposure;
    const seen = counts.filter((count) => count.exposure > 0);
    chiSquared += seen.reduce(
      (sum, count) => sum + (count.events - expectedOf(count)) ** 2 / expectedOf(count),
      0,
    );
    freedom += seen.length - 1;
  }
  return freedom === 0 ? 1 : Math.max(1, chiSquared / freedom);
}

/** Both arms, each count and exposure divided by the dispersion: as many independent events as they are worth. */
function effectiveTotals(pairs: readonly EventPair[]): EventPair {
  const dispersion = dispersionOf(pairs);
  const worth = (counts: readonly EventCount[]): EventCount => {
    const { events, exposure } = totalOf(counts);
    return { events: events / dispersion, exposure: exposure / dispersion };
  };
  return {
    baseline: worth(pairs.map(({ baseline }) => baseline)),
    candidate: worth(pairs.map(({ candidate }) => candidate)),
  };
}

/**
 * Interval of the candidate's rate less the baseline's, from the exact intervals of both (MOVER: Donner & Zou, Statistics in Medicine
 * 31, 2012). Where one arm has no event its end is that of the other's exact bound. Null without exposure in both arms.
 */
export function rateDifferenceInterval(pairs: readonly EventPair[], level: number): Interval | null {
  return intervalOfTotals(effectiveTotals(pairs), level);
}

function intervalOfTotals({ baseline, candidate }: EventPair, level: number): Interval | null {
  const before = rateInterval(baseline, level);
  const after = rateInterval(candidate, level);
  if (before === null || after === null) return null;
  const rateBefore = baseline.events / baseline.exposure;
  const rateAfter = candidate.events / candidate.exposure;
  const difference = rateAfter - rateBefore;
  return [
    difference - Math.hypot(rateAfter - after[0], before[1] - rateBefore),
    difference + Math.hypot(after[1] - rateAfter, rateBefore - before[0]),
  ];
}

function areRatesEquivalent(totals: EventPair, margin: number, alpha: number): boolean {
  const interval = intervalOfTotals(totals, 1 - 2 * alpha);
  return interval !== null && interval[0] > -margin && interval[1] < margin;
}

/** No p value is smaller than this, and none but 1 is above the other: an interval of level 0 has no width. */
const smallestP = 1e-12;
const largestP = 0.5;
const halvings = 50;

/**
 * One-sided p of rates that differ by `margin` or more: the smallest level at which the interval of the difference lies within the
 * margin on both sides (two one-sided tests, Schuirmann 1987). 1 without exposure.
 */
export function ratesEquivalentP(pairs: readonly EventPair[], margin: number): number {
  const totals = effectiveTotals(pairs);
  const isWithin = (p: number): boolean => areRatesEquivalent(totals, margin, p);
  if (!isWithin(largestP - smallestP)) return 1;
  let low = Math.log(smallestP);
  let high = Math.log(largestP);
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (isWithin(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}

/**
 * After how many blocks, each like the mean of those so far, the rates would be equal within the margin; null where more than
 * `maxBlocks` would not do.
 *
 * @param alpha one-sided level
 */
export function blocksToEqualRates(
  pairs: readonly EventPair[],
  { margin, alpha, maxBlocks }: { margin: number; alpha: number; maxBlocks: number },
): number | null {
  const { baseline, candidate } = effectiveTotals(pairs);
  for (let blocks = pairs.length + 1; blocks <= maxBlocks; blocks++) {
    const times = blocks / pairs.length;
    const grown = ({ events, exposure }: EventCount): EventCount => ({
      events: events * times,
      exposure: exposure * times,
    });
    if (areRatesEquivalent({ baseline: grown(baseline), candidate: grown(candidate) }, margin, alpha))
      return blocks;
  }
  return null;
}

/** What two probabilities of equal outcomes may differ by, as R's `binom.test` has it. */
const roundingShare = 1 + 1e-7;

/**
 * Exact two-sided p of two equal Poisson rates (Przyborowski & Wilenski, Biometrika 31, 1940): given all events, those of the
 * candidate are binomial by the share of its exposure. As R's `poisson.test`. 1 without events.
 */
export function equalRatesP(baseline: EventCount, candidate: EventCount): number {
  const all = baseline.events + candidate.events;
  const share = candidate.exposure / (baseline.exposure + candidate.exposure);
  if (all === 0 || !(share > 0 && share < 1)) return 1;
  let logProbability = all * Math.log1p(-share);
  const logOdds = Math.log(share) - Math.log1p(-share);
  const probabilities = Array.from({ length: all + 1 }, (_, events) => {
    if (events > 0) logProbability += Math.log((all - events + 1) / events) + logOdds;
    return Math.exp(logProbability);
  });
  const seen = (probabilities[candidate.events] ?? 0) * roundingShare;
  return Math.min(
    1,
    probabilities.reduce((sum, probability) => sum + (probability <= seen ? probability : 0), 0),
  );
}
