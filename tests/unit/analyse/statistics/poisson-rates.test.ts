import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blocksToEqualRates,
  dispersionOf,
  equalRatesP,
  rateDifferenceInterval,
  rateInterval,
  ratesEquivalentP,
  type EventPair,
} from '../../../../src/analyse/statistics/poisson-rates.ts';
import { locationTests, testMargin } from '../../../../src/analyse/statistics/location-test.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';

const near = (got: number | undefined, expected: number, share = 1e-5): void => {
  assert.ok(got !== undefined && Math.abs(got / expected - 1) < share, `${got}, not ${expected}`);
};
const pair = (before: [number, number], after: [number, number]): EventPair => ({
  baseline: { events: before[0], exposure: before[1] },
  candidate: { events: after[0], exposure: after[1] },
});

test('the interval of a rate is that of the examples of poisson.test in R', () => {
  // poisson.test(137, 24.19893)
  const interval = rateInterval({ events: 137, exposure: 24.19893 }, 0.95);
  near(interval?.[0], 4.753125);
  near(interval?.[1], 6.692709);
});

test('two equal rates: p of the examples of poisson.test in R', () => {
  // poisson.test(c(11, 6+8+7), c(800, 1083+1050+878)): p-value 0.07967
  near(equalRatesP({ events: 21, exposure: 3011 }, { events: 11, exposure: 800 }), 0.07967, 1e-3);
  assert.equal(equalRatesP({ events: 0, exposure: 5 }, { events: 0, exposure: 5 }), 1);
  near(equalRatesP({ events: 0, exposure: 1 }, { events: 5, exposure: 1 }), 2 / 2 ** 5);
});

test('no event at all bounds the rate by the rule of three, each side by itself', () => {
  const hours = 12 / 60;
  near(rateInterval({ events: 0, exposure: hours }, 0.9)?.[1], 2.9957 / hours, 1e-4);
  assert.equal(rateInterval({ events: 0, exposure: hours }, 0.9)?.[0], 0);
  const bound = rateDifferenceInterval([pair([0, hours], [0, hours])], 0.9);
  near(bound?.[0], -2.9957 / hours, 1e-4);
  near(bound?.[1], 2.9957 / hours, 1e-4);
});

test('equal rates take as much watching as the margin asks', () => {
  // Without events p is exp(−margin × exposure): 6 an hour take half an hour.
  near(ratesEquivalentP([pair([0, 0.5], [0, 0.5])], 6), Math.exp(-3));
  near(ratesEquivalentP([pair([0, 0.2], [0, 0.2])], 6), Math.exp(-1.2));
  assert.ok(ratesEquivalentP([pair([3, 1], [3, 1])], 6) > ratesEquivalentP([pair([0, 1], [0, 1])], 6));
  assert.equal(ratesEquivalentP([pair([0, 0], [0, 0])], 6), 1);
  assert.equal(ratesEquivalentP([], 6), 1);
  assert.equal(ratesEquivalentP([pair([0, 1], [20, 1])], 6), 1);
});

test('events in one block of many count for less than the same spread over all', () => {
  const spread = Array.from({ length: 10 }, () => pair([2, 0.1], [2, 0.1]));
  const clustered = Array.from({ length: 10 }, (_, block) =>
    pair(block === 0 ? [20, 0.1] : [0, 0.1], [2, 0.1]),
  );
  assert.equal(dispersionOf(spread), 1);
  assert.ok(dispersionOf(clustered) > 5);
  const width = (pairs: EventPair[]): number => {
    const [low, high] = rateDifferenceInterval(pairs, 0.95) ?? [0, 0];
    return high - low;
  };
  assert.ok(width(clustered) > 2 * width(spread));
});

/** A Poisson count by Knuth's product. */
function drawPoisson(random: { next(): number }, mean: number): number {
  let events = -1;
  for (let product = 1; product > Math.exp(-mean); product *= random.next()) events++;
  return events;
}

test('blocks alone call rates equal that differ by the margin, and the rates do not', () => {
  const random = seededRandom(5);
  const runs = 400;
  const hours = 1 / 60;
  let byBlocks = 0;
  let byRates = 0;
  for (let run = 0; run < runs; run++) {
    const pairs = Array.from({ length: 20 }, () =>
      pair([drawPoisson(random, hours), hours], [drawPoisson(random, 7 * hours), hours]),
    );
    const changes = pairs.map(({ baseline, candidate }) => candidate.events - baseline.events);
    if ((testMargin(locationTests['signed-rank'], changes, 6 * hours)?.pEquivalent ?? 1) < 0.05) byBlocks++;
    if (ratesEquivalentP(pairs, 6) < 0.05) byRates++;
  }
  assert.ok(byBlocks > runs / 2, `${byBlocks} of ${runs} by blocks`);
  assert.ok(byRates <= 0.05 * runs, `${byRates} of ${runs} by rates`);
});

test('rates that differ by the margin are called equal in 5 % of runs at most', () => {
  const random = seededRandom(55);
  const runs = 1500;
  const margin = 6;
  for (const baseline of [0, 1, 3, 10]) {
    for (const hours of [0.5, 1, 3]) {
      let equal = 0;
      for (let run = 0; run < runs; run++) {
        const events = [baseline, baseline + margin].map((rate) => drawPoisson(random, rate * hours));
        const pairs = [pair([events[0] ?? 0, hours], [events[1] ?? 0, hours])];
        const interval = rateDifferenceInterval(pairs, 0.9);
        if (interval !== null && interval[0] > -margin && interval[1] < margin) equal++;
      }
      // Three standard errors of a share of 5 % among so many runs.
      assert.ok(
        equal / runs <= 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs),
        `${equal} of ${runs} at ${baseline} an hour, ${hours} h`,
      );
    }
  }
});

test('so many more blocks show equal rates as the margin asks of those seen', () => {
  const asked = { margin: 6, alpha: 0.05, maxBlocks: 200 };
  const minutes = (events: number): EventPair[] =>
    Array.from({ length: 8 }, (_, block) => pair([block === 0 ? events : 0, 1 / 60], [0, 1 / 60]));
  // Half an hour without any, by the rule of three.
  assert.equal(blocksToEqualRates(minutes(0), asked), 30);
  assert.ok((blocksToEqualRates(minutes(0), { ...asked, alpha: 0.01 }) ?? 0) > 40);
  // One in eight minutes is more than the margin allows.
  assert.equal(blocksToEqualRates(minutes(1), asked), null);
});
