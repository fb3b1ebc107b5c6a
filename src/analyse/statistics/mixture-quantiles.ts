import { seededRandom } from '../../core/model/seeded-random.ts';
import { smallestIntervalCount, type Interval } from './hodges-lehmann.ts';
import { normalCdf } from './normal-distribution.ts';
import { quantileOfSorted } from './quantile.ts';
import { studentLimit } from './student-t.ts';

/** Values of one part of a mixture, by block: both arms of each. */
export interface MixturePart {
  /** Its share of the whole. */
  readonly weight: number;
  readonly pairs: readonly {
    readonly block: number;
    readonly baseline: number;
    readonly candidate: number;
  }[];
}

/** A quantile of both arms' mixtures, and how far apart they are. */
export interface QuantileChange {
  readonly quantile: number;
  /** Null where too few values lie beyond it. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  readonly difference: number | null;
  readonly interval: Interval | null;
  /** Values beyond the quantile, of the arm that has fewer. */
  readonly beyond: number;
}

/**
 * Values beyond a quantile from which on its interval has an end on that side: of order statistics it has one where
 * P(none beyond) ≤ 2.5 %, with Poisson's −ln 0.025 = 3.7 of them to be expected (Hahn & Meeker, Statistical Intervals, 1991, §5.2).
 */
export const minBeyond = 4;
const replicates = 2000;

/** A value with the part and the block that it is of. */
interface Load {
  readonly value: number;
  readonly part: number;
  readonly block: number;
}

/**
 * Quantiles of both arms over a mixture with known shares, each part by its own values, and intervals of their difference.
 * Whole blocks are drawn again, so that what a block's loads have in common stays together. Intervals are expanded percentile
 * intervals, whose levels make up for few blocks (Hesterberg, The American Statistician 69, 2015, §4.3). Null below six blocks.
 */
export function quantileChanges(
  parts: readonly MixturePart[],
  quantiles: readonly number[],
  level: number,
  seed: number,
): QuantileChange[] {
  const blocks = [...new Set(parts.flatMap(({ pairs }) => pairs.map(({ block }) => block)))];
  const placeByBlock = new Map(blocks.map((block, place) => [block, place]));
  const loadsOf = (arm: 'baseline' | 'candidate'): Load[] =>
    parts
      .flatMap(({ pairs }, part) =>
        pairs.map((pair): Load => ({
          value: pair[arm],
          part,
          block: placeByBlock.get(pair.block) as number,
        })),
      )
      .sort((a, b) => a.value - b.value);
  const before = loadsOf('baseline');
  const after = loadsOf('candidate');
  const weights = parts.map(({ weight }) => weight);
  const once = blocks.map(() => 1);
  const baselines = quantilesOf(before, weights, once, quantiles);
  const candidates = quantilesOf(after, weights, once, quantiles);
  const intervals = bootstrapIntervals({
    before,
    after,
    weights,
    blocks: blocks.length,
    quantiles,
    level,
    seed,
  });
  return quantiles.map((quantile, i): QuantileChange => {
    const baseline = baselines[i] ?? null;
    const candidate = candidates[i] ?? null;
    const beyondOf = (loads: readonly Load[], at: number | null): number =>
      at === null ? 0 : loads.filter(({ value }) => value > at).length;
    const beyond = Math.min(beyondOf(before, baseline), beyondOf(after, candidate));
    if (baseline === null || candidate === null || beyond < minBeyond)
      return { quantile, baseline: null, candidate: null, difference: null, interval: null, beyond };
    const interval = intervals?.[i] ?? null;
    // A change without an interval would be read as one that is known.
    const difference = interval === null ? null : candidate - baseline;
    return { quantile, baseline, candidate, difference, interval, beyond };
  });
}

/**
 * Quantiles of ascending values with weights, linear between the middles of their steps.
 *
 * @param drawn how often each block is there
 */
function quantilesOf(
  loads: readonly Load[],
  weights: readonly number[],
  drawn: readonly number[],
  quantiles: readonly number[],
): number[] {
  const counts = new Array<number>(weights.length).fill(0);
  for (const { part, block } of loads) counts[part] = (counts[part] as number) + (drawn[block] as number);
  const whole = weights.reduce((sum, weight, part) => (counts[part] === 0 ? sum : sum + weight), 0);
  const found: number[] = [];
  let sum = 0;
  let lastMiddle = 0;
  let lastValue = loads[0]?.value ?? NaN;
  for (const { value, part, block } of loads) {
    const times = drawn[block] as number;
    if (times === 0) continue;
    const step = (times * (weights[part] as number)) / (counts[part] as number) / whole;
    const middle = sum + step / 2;
    for (
      let next = quantiles[found.length];
      next !== undefined && next <= middle;
      next = quantiles[found.length]
    ) {
      const position = middle === lastMiddle ? 1 : (next - lastMiddle) / (middle - lastMiddle);
      found.push(lastValue + position * (value - lastValue));
    }
    sum += step;
    lastMiddle = middle;
    lastValue = value;
  }
  while (found.length < quantiles.length && loads.length > 0) found.push(lastValue);
  return found;
}

interface Resampling {
  readonly before: readonly Load[];
  readonly after: readonly Load[];
  readonly weights: readonly number[];
  readonly blocks: number;
  /** Ascending. */
  readonly quantiles: readonly number[];
  readonly level: number;
  readonly seed: number;
}

function bootstrapIntervals(options: Resampling): Interval[] | null {
  const { before, after, weights, blocks, quantiles, level, seed } = options;
  if (blocks < smallestIntervalCount) return null;
  const random = seededRandom(seed);
  const drawn = new Array<number>(blocks);
  const differences = quantiles.map(() => new Float64Array(replicates));
  for (let replicate = 0; replicate < replicates; replicate++) {
    drawn.fill(0);
    for (let i = 0; i < blocks; i++) {
      const block = random.integer(blocks);
      drawn[block] = (drawn[block] as number) + 1;
    }
    const from = quantilesOf(before, weights, drawn, quantiles);
    const to = quantilesOf(after, weights, drawn, quantiles);
    differences.forEach((ofQuantile, i) => (ofQuantile[replicate] = (to[i] as number) - (from[i] as number)));
  }
  const tail = normalCdf(-Math.sqrt(blocks / (blocks - 1)) * studentLimit(level, blocks - 1));
  return differences.map((ofQuantile): Interval => {
    const sorted = [...ofQuantile.sort()];
    return [quantileOfSorted(sorted, tail) as number, quantileOfSorted(sorted, 1 - tail) as number];
  });
}
