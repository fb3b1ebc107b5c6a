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
    return {
      low: Float64Array.from(wide, ([low]) => low).sort(),
      high: Float64Array.from(wide, ([, high]) => high).sort(),
      least: Float64Array.from(narrow, ([least]) => least),
      most: Float64Array.from(narrow, ([, most]) => most),
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

function shrunk({ low, high, least, most }: ReachRow, factor: number): ReachRow {
  const scaled = (ends: Float64Array): Float64Array => ends.map((end) => end * factor);
  return { low: scaled(low), high: scaled(high), least: scaled(least), most: scaled(most) };
}

/** What is taken for the truth: effect, spread of the noise and margin on one scale. */
export interface SupposedTruth {
  readonly effect: number;
  readonly scale: number;
  readonly margin: number;
}

/** Share of runs of so many blocks that come to a verdict. */
export function decidingShare(
  reach: Reach,
  blocks: number,
  { effect, scale, margin }: SupposedTruth,
): number {
  const { low, high, least, most } = reach.row(blocks);
  // On the scale of the noise.
  const upper = (margin - effect) / scale;
  const lower = (-margin - effect) / scale;
  const beyond = low.length - countUpTo(low, upper) + countBelow(high, lower);
  // Of an effect at the margin or beyond it equivalence would be an error: at most the level, and nothing to count on.
  if (Math.abs(effect) >= margin) return beyond / reach.runs;
  let within = 0;
  for (let run = 0; run < least.length; run++) {
    const start = least[run] as number;
    const end = most[run] as number;
    // All that follow are wider still.
    if (end - start >= upper - lower) break;
    if (start > lower && end < upper) within++;
  }
  return (beyond + within) / reach.runs;
}

export const wantedPower = 0.8;

/** The fewest blocks with which the wanted share of runs comes to a verdict; null when more than `most`. */
export function blocksToDecide(reach: Reach, truth: SupposedTruth, most: number): number | null {
  const enough = (blocks: number): boolean => decidingShare(reach, blocks, truth) >= wantedPower;
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
  const end = quantileOfSorted([...low], 1 - wantedPower);
  return end === undefined ? null : -end;
}
