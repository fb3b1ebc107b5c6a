import type { SeededRandom } from '../../model/seeded-random.ts';
import { seededRandom } from '../../model/seeded-random.ts';
import type { LocationTest } from './location-test.ts';
import { quantileOfSorted } from './quantile.ts';

/** Where the ends of intervals lie from the truth, one entry a simulated run. */
interface ReachRow {
  /** Ends of the two-sided interval at the level of the test beyond the margin; NaN where it cannot be had. */
  readonly beyond: readonly (readonly [number, number])[];
  /** Ends of the interval of the two one-sided tests of equivalence. */
  readonly equivalent: readonly (readonly [number, number])[];
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

/** Longer runs are taken for runs of this length with ends nearer by the root of the ratio: the tests are normal by then. */
const longestSimulated = 30;
const beyondReach = [NaN, NaN] as const;

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
    const beyond: (readonly [number, number])[] = [];
    const equivalent: (readonly [number, number])[] = [];
    for (let run = 0; run < runs; run++) {
      const sample = Array.from({ length: blocks }, () => draw(random));
      const [wide, narrow] = test.locate(sample, [1 - alpha, 1 - 2 * alpha]).intervals;
      beyond.push(wide ?? beyondReach);
      equivalent.push(narrow ?? beyondReach);
    }
    return { beyond, equivalent };
  };
  const row = (blocks: number): ReachRow => {
    const known = rows.get(blocks);
    if (known !== undefined) return known;
    const made = blocks <= longestSimulated ? simulate(blocks) : shrunk(row(longestSimulated), blocks);
    rows.set(blocks, made);
    return made;
  };
  return { row, test };
}

function shrunk({ beyond, equivalent }: ReachRow, blocks: number): ReachRow {
  const factor = Math.sqrt(longestSimulated / blocks);
  const scaled = (ends: ReachRow['beyond']): ReachRow['beyond'] =>
    ends.map(([low, high]) => [low * factor, high * factor]);
  return { beyond: scaled(beyond), equivalent: scaled(equivalent) };
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
  const { beyond, equivalent } = reach.row(blocks);
  let decided = 0;
  for (let run = 0; run < beyond.length; run++) {
    const [low, high] = beyond[run] as readonly [number, number];
    const [least, most] = equivalent[run] as readonly [number, number];
    const outside = effect + low * scale > margin || effect + high * scale < -margin;
    const inside = effect + least * scale > -margin && effect + most * scale < margin;
    if (outside || inside) decided++;
  }
  return decided / beyond.length;
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
  const below = reach.row(blocks).beyond.map(([low]) => -low);
  if (below.some(Number.isNaN)) return null;
  return (
    quantileOfSorted(
      below.sort((a, b) => a - b),
      wantedPower,
    ) ?? null
  );
}
