import type { SeededRandom } from '../../model/seeded-random.ts';
import { seededRandom } from '../../model/seeded-random.ts';
import type { LocationTest } from './location-test.ts';
import { quantileOfSorted } from './quantile.ts';

/** Where the ends of intervals lie from the truth, one entry a simulated run; NaN where an interval cannot be had. */
interface ReachRow {
  /** Ends of the two-sided interval at the level of the test beyond the margin. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Ends of the interval of the two one-sided tests of equivalence. */
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** How far runs of each length see, with noise of one shape; all lengths in units of the noise. */
export interface Reach {
  row(blocks: number): ReachRow;
  readonly test: LocationTest;
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
const everyLengthUpTo = 12;
/** Other lengths are taken for the next shorter of these, with ends nearer by the root of the ratio. */
const simulatedLengths = [14, 16, 18, 20, 23, 26, 30] as const;

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
    const ends = (): Float64Array => new Float64Array(runs).fill(NaN);
    const made = { low: ends(), high: ends(), least: ends(), most: ends() };
    const sample = new Array<number>(blocks);
    for (let run = 0; run < runs; run++) {
      for (let i = 0; i < blocks; i++) sample[i] = draw(random);
      const [wide, narrow] = test.locate(sample, [1 - alpha, 1 - 2 * alpha]).intervals;
      if (wide) [made.low[run], made.high[run]] = wide;
      if (narrow) [made.least[run], made.most[run]] = narrow;
    }
    return made;
  };
  const row = (blocks: number): ReachRow => {
    const known = rows.get(blocks);
    if (known !== undefined) return known;
    const length =
      blocks <= everyLengthUpTo
        ? blocks
        : (simulatedLengths.findLast((one) => one <= blocks) ?? everyLengthUpTo);
    const made = length === blocks ? simulate(blocks) : shrunk(row(length), Math.sqrt(length / blocks));
    rows.set(blocks, made);
    return made;
  };
  return { row, test };
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

/** Share of runs of so many blocks that come to any verdict. */
export function decidingShare(
  reach: Reach,
  blocks: number,
  { effect, scale, margin }: SupposedTruth,
): number {
  const { low, high, least, most } = reach.row(blocks);
  // On the scale of the noise; comparisons with NaN are false.
  const [upper, lower] = [(margin - effect) / scale, (-margin - effect) / scale];
  let decided = 0;
  for (let run = 0; run < low.length; run++) {
    const outside = (low[run] as number) > upper || (high[run] as number) < lower;
    if (outside || ((least[run] as number) > lower && (most[run] as number) < upper)) decided++;
  }
  return decided / low.length;
}

export const wantedPower = 0.8;

/** The fewest blocks with which the wanted share of runs comes to a verdict; null when more than `most`. */
export function blocksToDecide(reach: Reach, truth: SupposedTruth, most: number): number | null {
  const enough = (blocks: number): boolean => decidingShare(reach, blocks, truth) >= wantedPower;
  if (!enough(most)) return null;
  let [low, high] = [reach.test.fewestValues - 1, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** How far beyond the margin an effect must lie to be found there in the wanted share of runs, in units of the noise; null where no p is small enough. */
export function detectableDistance(reach: Reach, blocks: number): number | null {
  const below = reach.row(blocks).low.map((low) => -low);
  return below.some(Number.isNaN) ? null : (quantileOfSorted([...below.sort()], wantedPower) ?? null);
}
