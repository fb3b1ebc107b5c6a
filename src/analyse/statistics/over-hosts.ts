import { normalCdf, normalQuantile } from './normal-distribution.ts';
import type { Interval, LocationEstimate } from './hodges-lehmann.ts';
import type { LocationTest, Tails } from './location-test.ts';
import { locationTests } from './location-test.ts';
import { onRankScale } from './rank-scale.ts';
import { doubledMidranks, tieTerm } from './ranks.ts';
import { signedRankCumulative, untiedSignedRankCumulative } from './signed-rank-distribution.ts';
import { fTail } from './site-heterogeneity.ts';
import { oneSampleT, studentLimit } from './student-t.ts';
import { exactSignedRankLimit } from './wilcoxon-signed-rank.ts';

/** From so many hosts on they are a sample of hosts, whose effects vary; below, just these hosts. */
export const minClusters = 5;

/** The values of one host. */
interface HostSample {
  readonly host: string;
  readonly values: readonly number[];
}

/** @param hosts name of the host of each value, in the order of the sample */
function byHost(sample: readonly number[], hosts: readonly string[]): HostSample[] {
  const groups = Map.groupBy(sample.keys(), (index) => hosts[index] ?? '');
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([host, places]) => ({ host, values: places.map((index) => sample[index] as number) }));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The test for blocks that several hosts ran. Hosts are a fixed factor below five: what differs between them is taken out of
 * the noise of means, and ranks are given within each. From five on each host counts with its mean, so that
 * the interval covers other hosts of the kind too (Donald & Lang, Review of Economics and Statistics 89, 2007).
 *
 * @param hosts name of the host of each value of the samples that it will be asked about, in their order
 */
export function testOverHosts(plain: LocationTest, hosts: readonly string[]): LocationTest {
  const count = new Set(hosts).size;
  if (count < 2) return plain;
  if (count >= minClusters) return clusteredTest(hosts);
  return plain.name === 't' ? withinHostsT(plain, hosts) : stratifiedSignedRank(plain, hosts);
}

function clusteredTest(hosts: readonly string[]): LocationTest {
  const means = (sample: readonly number[]): number[] =>
    byHost(sample, hosts).map(({ values }) => meanOf(values));
  const { t } = locationTests;
  return {
    ...t,
    locate: (sample, levels) => t.locate(means(sample), levels),
    tails: (sample, shift) => t.tails(means(sample), shift),
    overHosts: { handling: 'clustered', plain: t, unitsOf: means },
  };
}

/** t with the variance about each host's own mean, and a degree of freedom less for each host. */
function withinHostsT(plain: LocationTest, hosts: readonly string[]): LocationTest {
  const fit = (sample: readonly number[]): { mean: number; error: number; freedom: number } => {
    const groups = byHost(sample, hosts);
    const squares = groups.reduce((sum, { values }) => sum + squaresAbout(values, meanOf(values)), 0);
    const freedom = sample.length - groups.length;
    return { mean: meanOf(sample), error: Math.sqrt(squares / freedom / sample.length), freedom };
  };
  return {
    ...plain,
    locate: (sample, levels) => {
      if (sample.length === 0) return plain.locate(sample, levels);
      const { mean, error, freedom } = fit(sample);
      const tooFew = freedom < 1 || sample.length < plain.minValues;
      const intervals = levels.map((level): Interval | null => {
        const reach = tooFew ? NaN : studentLimit(level, freedom) * error;
        return tooFew ? null : [mean - reach, mean + reach];
      });
      return { estimate: mean, intervals };
    },
    tails: (sample, shift) => {
      const { mean, error, freedom } = fit(sample);
      return freedom < 1 ? null : oneSampleT(mean, error, freedom, shift);
    },
    overHosts: { handling: 'fixed', plain, unitsOf: (sample) => sample },
  };
}

function squaresAbout(values: readonly number[], centre: number): number {
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}

/**
 * The signed-rank test with ranks within each host, summed over hosts (van Elteren 1960, for pairs); its estimate and
 * intervals are order statistics of the Walsh averages of pairs of blocks of one host.
 */
function stratifiedSignedRank(plain: LocationTest, hosts: readonly string[]): LocationTest {
  return {
    ...plain,
    locate: (sample, levels) => locateWithin(byHost(sample, hosts), levels, plain.minValues),
    tails: (sample, shift) => (sample.length === 0 ? null : tailsWithin(byHost(sample, hosts), shift)),
    overHosts: { handling: 'fixed', plain, unitsOf: (sample) => sample },
  };
}

function tailsWithin(groups: readonly HostSample[], shift: number): Tails {
  const strata = groups.map(({ values }) => onRankScale(values, shift).filter((value) => value !== 0));
  const ranks = strata.map((values) => doubledMidranks(values.map(Math.abs)));
  const all = ranks.flat();
  if (all.length === 0) return { pGreater: 1, pLess: 1 };
  const positive = strata.flatMap((values, s) =>
    values.map((value, i) => (value > 0 ? (ranks[s]?.[i] as number) : 0)),
  );
  const statistic = positive.reduce((sum, rank) => sum + rank, 0);
  const total = all.reduce((sum, rank) => sum + rank, 0);
  const ties = strata.reduce((sum, values) => sum + tieTerm(values.map(Math.abs)), 0);
  const tail = lowerTail(
    all,
    strata.map(({ length }) => length),
    ties,
  );
  return { pLess: tail(statistic), pGreater: tail(total - statistic) };
}

/** P(T ≤ t) of the doubled sum of the ranks. */
function lowerTail(
  doubled: readonly number[],
  sizes: readonly number[],
  ties: number,
): (t: number) => number {
  if (doubled.length <= exactSignedRankLimit) {
    const cumulative = ties > 0 ? signedRankCumulative(doubled) : untiedSignedRankCumulative(...sizes);
    return (t) => cumulative[ties > 0 ? t : t / 2] as number;
  }
  const { mean, spread } = momentsOfRanks(sizes, ties);
  return (t) => normalCdf((t / 2 + 0.5 - mean) / spread);
}

function momentsOfRanks(sizes: readonly number[], ties: number): { mean: number; spread: number } {
  const sum = (term: (n: number) => number): number => sizes.reduce((total, n) => total + term(n), 0);
  const variance = sum((n) => (n * (n + 1) * (2 * n + 1)) / 24) - ties / 48;
  return { mean: sum((n) => (n * (n + 1)) / 4), spread: Math.sqrt(variance) };
}

function locateWithin(
  groups: readonly HostSample[],
  levels: readonly number[],
  minValues: number,
): LocationEstimate {
  const sizes = groups.map(({ values }) => values.length);
  const count = sizes.reduce((sum, n) => sum + (n * (n + 1)) / 2, 0);
  if (count === 0) return { estimate: null, intervals: levels.map(() => null) };
  const averages = new Float64Array(count);
  let next = 0;
  for (const { values } of groups)
    for (const [i, value] of values.entries())
      for (let j = i; j < values.length; j++) averages[next++] = (value + (values[j] as number)) / 2;
  averages.sort();
  const at = (k: number): number => averages[k - 1] as number;
  const blocks = sizes.reduce((sum, n) => sum + n, 0);
  return {
    estimate: (at(Math.ceil(count / 2)) + at(Math.floor(count / 2) + 1)) / 2,
    intervals: levels.map((level): Interval | null => {
      const rank = blocks < minValues ? 0 : lowerRank(sizes, blocks, 1 - level);
      return rank === 0 ? null : [at(rank), at(count + 1 - rank)];
    }),
  };
}

/** The largest C with P(T ≤ C − 1) ≤ alpha/2; 0 when even C = 1 is too often missed. */
function lowerRank(sizes: readonly number[], blocks: number, alpha: number): number {
  if (blocks > exactSignedRankLimit) {
    const { mean, spread } = momentsOfRanks(sizes, 0);
    return Math.max(1, Math.floor(mean - normalQuantile(1 - alpha / 2) * spread));
  }
  const cumulative = untiedSignedRankCumulative(...sizes);
  // 1 − level is not exact in binary; without the tolerance a level that is just reached could be lost.
  const tail = alpha / 2 + 1e-12;
  let rank = 0;
  while ((cumulative[rank] as number) <= tail) rank++;
  return rank;
}

/** The effect on one host. */
export interface HostEffect {
  readonly host: string;
  readonly blocks: number;
  /** Mean over its blocks. */
  readonly effect: number;
}

/** How far the hosts of a run agree on one effect. */
export interface HostAgreement {
  /** F test of one effect on all hosts against the noise within them; null without degrees of freedom. */
  readonly pValue: number | null;
  readonly effects: readonly HostEffect[];
}

/** Null for values of one host. */
export function hostAgreement(sample: readonly number[], hosts: readonly string[]): HostAgreement | null {
  const groups = byHost(sample, hosts);
  if (groups.length < 2) return null;
  const mean = meanOf(sample);
  const between = groups.reduce((sum, { values }) => sum + values.length * (meanOf(values) - mean) ** 2, 0);
  const within = groups.reduce((sum, { values }) => sum + squaresAbout(values, meanOf(values)), 0);
  const first = groups.length - 1;
  const second = sample.length - groups.length;
  return {
    pValue: second < 1 ? null : fTail(between / first, within / second, first, second),
    effects: groups.map(({ host, values }) => ({ host, blocks: values.length, effect: meanOf(values) })),
  };
}
