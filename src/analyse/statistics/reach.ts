import type { SeededRandom } from '../../core/model/seeded-random.ts';
import { seededRandom } from '../../core/model/seeded-random.ts';
import type { LocationTest } from './location-test.ts';
import type { Interval } from './hodges-lehmann.ts';
import { quantileOfSorted } from './quantile.ts';
import { countBelow, countUpTo } from './sorted-counts.ts';

/** Where the ends of the intervals of simulated runs lie from the truth; empty where an interval cannot be had. */
interface ReachRow {
  /** Ends of the two-sided interval at the level of the test beyond the margin, each ascending. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Ends of the interval of the two one-sided tests of equivalence, from the narrowest interval to the widest. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly widths: Float64Array;
  /** The same ends, each ascending: most often they alone tell how many intervals lie within limits. */
  readonly sortedStarts: Float64Array;
  readonly sortedEnds: Float64Array;
}

/** How far runs of each length see, with noise of one shape; all lengths in units of the noise. */
export interface Reach {
  row(blocks: number): ReachRow;
  readonly test: LocationTest;
  readonly runs: number;
}

export interface ReachOptions {
  readonly test: LocationTest;
  /** Level of the test of this one comparison: its share of the family's error. */
  readonly alpha: number;
  /** Simulated runs of each length. */
  readonly runs: number;
  readonly seed: number;
}

/** Up to here every length is simulated: the signed-rank test has few levels there. */
const everyLengthUpTo = 20;
/** Other lengths are taken for the next shorter of these, with ends nearer by the root of the ratio. */
const simulatedLengths = [23, 26, 30, 42, 60, 90, 140] as const;

/**
 * Simulates runs of noise without any effect. Estimates and intervals shift with the effect, so that this is enough to
 * know the power against every effect.
 *
 * @param draw one value of the noise, of mean zero
 */
export function simulateReach(draw: (random: SeededRandom) => number, options: ReachOptions): Reach {
  const { test, alpha, runs, seed } = options;
  const rows = new Map<number, ReachRow>();
  const simulate = (blocks: number): ReachRow => {
    const random = seededRandom(seed + blocks);
    const wide: Interval[] = [];
    const narrow: Interval[] = [];
    const sample = new Array<number>(blocks);
    for (let run = 0; run < runs; run++) {
      for (let i = 0; i < blocks; i++) sample[i] = draw(random);
      const [beyond, within] = test.locate(sample, [1 - alpha, 1 - 2 * alpha]).intervals;
      if (beyond) wide.push(beyond);
      if (within) narrow.push(within);
    }
    narrow.sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
    const least = Float64Array.from(narrow, ([least]) => least);
    const most = Float64Array.from(narrow, ([, most]) => most);
    return {
      low: Float64Array.from(wide, ([low]) => low).sort(),
      high: Float64Array.from(wide, ([, high]) => high).sort(),
      least,
      most,
      widths: most.map((end, run) => end - (least[run] as number)),
      sortedStarts: least.toSorted(),
      sortedEnds: most.toSorted(),
    };
  };
  const row = (blocks: number): ReachRow => {
    const known = rows.get(blocks);
    if (known !== undefined) return known;
    const length =
      blocks <= everyLengthUpTo
        ? blocks
        : (simulatedLengths.findLast((simulatedLength) => simulatedLength <= blocks) ?? everyLengthUpTo);
    const made = length === blocks ? simulate(blocks) : shrunk(row(length), Math.sqrt(length / blocks));
    rows.set(blocks, made);
    return made;
  };
  return { row, test, runs };
}

function shrunk(row: ReachRow, factor: number): ReachRow {
  const scaled = (lengths: Float64Array): Float64Array => lengths.map((length) => length * factor);
  return {
    low: scaled(row.low),
    high: scaled(row.high),
    least: scaled(row.least),
    most: scaled(row.most),
    widths: scaled(row.widths),
    sortedStarts: scaled(row.sortedStarts),
    sortedEnds: scaled(row.sortedEnds),
  };
}

/** What is taken for the truth: effect, spread of the noise and margin on one scale. */
export interface SupposedTruth {
  readonly effect: number;
  readonly scale: number;
  readonly margin: number;
}

/** Share of runs of so many blocks that come to a verdict. */
export function decidingShare(reach: Reach, blocks: number, truth: SupposedTruth): number {
  const { beyond, limits } = seenOf(reach, blocks, truth);
  return (beyond + (limits === null ? 0 : countWithin(reach.row(blocks), limits))) / reach.runs;
}

/** Where an interval must lie for its run to find an equivalence, on the scale of the noise. */
interface Limits {
  readonly lower: number;
  readonly upper: number;
}

/** Of so many blocks the runs that find the effect beyond the margin, and the limits of an equivalence; null where it would be an error. */
function seenOf(
  reach: Reach,
  blocks: number,
  { effect, scale, margin }: SupposedTruth,
): { readonly beyond: number; readonly limits: Limits | null } {
  const { low, high } = reach.row(blocks);
  const upper = (margin - effect) / scale;
  const lower = (-margin - effect) / scale;
  const beyond = low.length - countUpTo(low, upper) + countBelow(high, lower);
  // Of an effect at the margin or beyond it equivalence would be an error: at most the level, and nothing to count on.
  return { beyond, limits: Math.abs(effect) >= margin ? null : { lower, upper } };
}

function countWithin({ least, most, widths }: ReachRow, { lower, upper }: Limits): number {
  let within = 0;
  for (let run = 0; run < least.length; run++) {
    // All that follow are wider still.
    if ((widths[run] as number) >= upper - lower) break;
    if ((least[run] as number) > lower && (most[run] as number) < upper) within++;
  }
  return within;
}

/** How many it is at least and at most, by what is sorted: the same where every interval is narrower than the limits. */
function boundsOfWithin(
  { widths, sortedStarts, sortedEnds }: ReachRow,
  { lower, upper }: Limits,
): readonly [atLeast: number, atMost: number] {
  const runs = widths.length;
  const narrow = countBelow(widths, upper - lower);
  const startBelow = countUpTo(sortedStarts, lower);
  const endAbove = runs - countBelow(sortedEnds, upper);
  // Only what is wider than the limits can reach beyond both, and would be taken off twice.
  const left = runs - startBelow - endAbove;
  return [Math.max(0, left), Math.min(narrow, left + runs - narrow)];
}

export const wantedPower = 0.8;

/** Whether the wanted share of runs of so many blocks comes to a verdict: counts only where bounds do not tell it. */
function isEnough(reach: Reach, blocks: number, truth: SupposedTruth): boolean {
  const { beyond, limits } = seenOf(reach, blocks, truth);
  const isWanted = (within: number): boolean => (beyond + within) / reach.runs >= wantedPower;
  if (limits === null) return isWanted(0);
  const row = reach.row(blocks);
  const [atLeast, atMost] = boundsOfWithin(row, limits);
  if (isWanted(atLeast)) return true;
  return isWanted(atMost) && isWanted(countWithin(row, limits));
}

/** The fewest blocks with which the wanted share of runs comes to a verdict; null when more than `most`. */
export function blocksToDecide(reach: Reach, truth: SupposedTruth, most: number): number | null {
  const enough = (blocks: number): boolean => isEnough(reach, blocks, truth);
  if (!enough(most)) return null;
  let low = reach.test.minValues - 1;
  let high = most;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** How far beyond the margin an effect must lie to be found there in the wanted share of runs, in units of the noise; null where no p is small enough. */
export function detectableDistance(reach: Reach, blocks: number): number | null {
  const { low } = reach.row(blocks);
  const end = quantileOfSorted(low, 1 - wantedPower);
  return end === undefined ? null : -end;
}
