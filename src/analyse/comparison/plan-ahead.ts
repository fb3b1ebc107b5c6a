import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { drawNormal, seededRandom } from '../../core/model/seeded-random.ts';
import type { LocationTest } from '../statistics/location-test.ts';
import { locationTests } from '../statistics/location-test.ts';
import { quantileOfSorted } from '../statistics/quantile.ts';
import { drawChiSquared } from '../statistics/random-draws.ts';
import type { Reach } from '../statistics/reach.ts';
import { blocksToDecide, decidingShare, detectableDistance, simulateReach } from '../statistics/reach.ts';
import { momentsOf } from '../statistics/student-t.ts';
import type { Effect } from './effect.ts';

const seed = 1;
const runs = 400;
/** Runs of normal noise, which serve every comparison. */
const normalRuns = 600;
/** Truths that the data allow, drawn for the range. */
const supposedTruths = 120;
/** Middle of the weighted truths that the range covers: eight blocks then hold the number in 75 % of runs at least, for noise of any shape simulated (docs/statistics.md). */
const rangeEnds = [0.01, 0.95] as const;
/** No truth weighs more than twenty others: hardly ever open is not never. */
const minOpenShare = 0.05;
/** With fewer blocks the spread is not known at all. */
const minBlocks = 4;
/** Interquartile range of a normal distribution in standard deviations. */
const normalQuartileRange = 1.349;

export interface AheadOptions {
  /** Level of this one comparison: its share of the family's error. */
  readonly alpha: number;
  /** Whether the blocks needed are wanted. */
  readonly undecided: boolean;
  /** Whether runs for the smallest effect are simulated from the blocks themselves; else from normal noise of their spread, which costs nothing. */
  readonly exactShape: boolean;
}

type Ahead = Pick<Comparison, 'blocksNeeded' | 'smallestDetectable'>;

const normalReaches = new Map<string, Reach>();

/** Runs of normal noise with standard deviation one, simulated once for each test and level. */
export function normalReach(test: LocationTest, alpha: number): Reach {
  const key = `${test.name} ${alpha}`;
  const known = normalReaches.get(key);
  if (known !== undefined) return known;
  const made = simulateReach(drawNormal, { test, alpha, runs: normalRuns, seed });
  normalReaches.set(key, made);
  return made;
}

/** What these blocks say of other runs like this one: the blocks that would decide, and the smallest effect that so many find. */
export function planAhead(effect: Effect, options: AheadOptions): Ahead {
  const { overHosts } = effect.test;
  if (overHosts !== undefined) {
    // More blocks alone would not decide what hosts, each with one value, leave open.
    const undecided = options.undecided && overHosts.handling === 'fixed';
    const effects = overHosts.unitsOf(effect.effects);
    return planAhead({ ...effect, test: overHosts.plain, effects }, { ...options, undecided });
  }
  const { effects, estimate, test } = effect;
  if (effects.length < minBlocks || estimate === null) return {};
  const { reach, scale } = noiseOf(effect, options);
  const distance = detectableDistance(reach, effects.length);
  const smallest = distance === null ? null : effect.scaleMargin + distance * scale;
  const shown = smallest === null || effect.form === 'difference' ? smallest : Math.expm1(smallest);
  return {
    ...(effects.length < test.minValues
      ? {}
      : { smallestDetectable: shown !== null && Number.isFinite(shown) ? shown : null }),
    ...(options.undecided ? { blocksNeeded: blocksNeeded(effect, options.alpha) } : {}),
  };
}

/** Noise in the shape of the blocks themselves, or normal noise with their spread. */
function noiseOf(
  { effects, estimate, test }: Effect,
  { alpha, exactShape }: AheadOptions,
): { reach: Reach; scale: number } {
  const n = effects.length;
  const { variance } = momentsOf(effects);
  if (!exactShape) {
    return {
      reach: normalReach(test, alpha),
      scale: test.name === 't' ? Math.sqrt(variance) : robustSpread(effects),
    };
  }
  const centre = estimate as number;
  // Values about their own centre vary less than about the truth.
  const widened = effects.map((value) => (value - centre) * Math.sqrt(n / (n - 1)));
  const reach = simulateReach((random) => widened[random.integer(n)] as number, { test, alpha, runs, seed });
  return { reach, scale: 1 };
}

function robustSpread(effects: readonly number[]): number {
  const sorted = [...effects].sort((a, b) => a - b);
  const range = (quantileOfSorted(sorted, 0.75) ?? 0) - (quantileOfSorted(sorted, 0.25) ?? 0);
  return range > 0 ? range / normalQuartileRange : Math.sqrt(momentsOf(effects).variance);
}

interface WeightedTruth {
  readonly needed: number;
  readonly weight: number;
}

/**
 * Range of the blocks that decide with 80 % power over truths that the data allow: the spread drawn from its chi-squared
 * distribution, the effect about the estimate with that spread. Only runs that are still open ask for the range, so each
 * truth weighs the more, the more seldom it leaves so many blocks open.
 */
function blocksNeeded(effect: Effect, alpha: number): [number, number] | null {
  const { effects, scaleMargin: margin, test } = effect;
  const n = effects.length;
  const spread = Math.sqrt(momentsOf(effects).variance);
  // Outliers widen the one and not what the signed-rank test sees; two groups the other way round: either may be true.
  const scales = test.name === 't' ? [spread] : [spread, robustSpread(effects)];
  const reach = normalReach(test, alpha);
  const random = seededRandom(seed);
  const truths = Array.from({ length: supposedTruths }, (_, i): WeightedTruth => {
    const wider = Math.sqrt((n - 1) / drawChiSquared(random, n - 1));
    const shift = (drawNormal(random) * wider * spread) / Math.sqrt(n);
    const scale = (scales[i % scales.length] as number) * wider;
    const truth = { effect: (effect.estimate as number) + shift, scale, margin };
    const open = Math.max(minOpenShare, 1 - decidingShare(reach, n, truth));
    return { needed: blocksToDecide(reach, truth, maxBlocksNeeded) ?? Infinity, weight: 1 / open };
  }).sort((a, b) => (a.needed < b.needed ? -1 : 1));
  const [low, high] = rangeEnds.map((end) => weightedQuantile(truths, end));
  if (low === undefined || high === undefined || !Number.isFinite(low)) return null;
  // What was run has left it open, so fewer blocks are no answer.
  const least = Math.max(low, test.minValues, n + 1);
  return least >= maxBlocksNeeded ? null : [least, Math.min(Math.max(high, least), maxBlocksNeeded)];
}

function weightedQuantile(ascending: readonly WeightedTruth[], probability: number): number | undefined {
  let left = probability * ascending.reduce((sum, { weight }) => sum + weight, 0);
  return ascending.find(({ weight }) => (left -= weight) <= 0)?.needed;
}

export interface PlannedFind {
  readonly test: Comparison['test'];
  readonly blocks: number;
  readonly alpha: number;
  /** Spread of one block's effect, on the scale of the margin. */
  readonly noise: number;
  readonly margin: number;
}

/** Smallest true effect that a planned comparison finds beyond the margin with 80 % power, on the scale of the margin; null where no p is small enough. */
export function smallestPlannedEffect({ test, blocks, alpha, noise, margin }: PlannedFind): number | null {
  const distance = detectableDistance(normalReach(locationTests[test ?? 'signed-rank'], alpha), blocks);
  return distance === null ? null : margin + distance * noise;
}
