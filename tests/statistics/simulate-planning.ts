import { measureEffect } from '../../src/analyse/comparison/effect.ts';
import { planAhead } from '../../src/analyse/comparison/plan-ahead.ts';
import { locationTests, testMargin } from '../../src/analyse/statistics/location-test.ts';
import { blocksToDecide, simulateReach } from '../../src/analyse/statistics/reach.ts';
import { maxBlocksNeeded } from '../../src/core/model/blocks-needed.ts';
import type { SeededRandom } from '../../src/core/model/seeded-random.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import type { TestName } from '../../src/core/model/summary.ts';
import { drawNoise, type Noise } from './noise.ts';

/** A truth about one comparison: what `blocksNeeded` has to find out from a few blocks. */
export interface PlanningCell {
  readonly test: TestName;
  readonly noise: Noise;
  /** True ratio of the candidate to the baseline. */
  readonly ratio: number;
  /** Standard deviation of a block's log ratio. */
  readonly spread: number;
  readonly comparisons: number;
}

export interface PlanningRates {
  readonly runs: number;
  /** Blocks that decide in 80 % of runs, from the truth; null when beyond 200. */
  readonly needed: number | null;
  /** Runs of so many blocks that were decided. */
  readonly decided: number;
  /** Ranges out of eight blocks that hold the number; of those runs that eight blocks left open. */
  readonly covered: number;
  readonly open: number;
}

const margin = 0.03;
const scaleMargin = Math.log1p(margin);
const seenBlocks = 8;
const alphaOfRun = 0.05;

/** Whether the tests decide a sample, as the verdict's rule has it. */
function isDecided(effects: readonly number[], test: TestName, alpha: number): boolean {
  const margins = testMargin(locationTests[test], effects, scaleMargin);
  return margins !== null && (margins.pBeyondMargin < alpha || margins.pEquivalent < alpha);
}

/** Checks the number of blocks given the truth, and the range that eight blocks of data give for it. */
export function simulatePlanning(cell: PlanningCell, runs: number, seed: number): PlanningRates {
  const { test: name, noise, ratio, spread, comparisons } = cell;
  const test = locationTests[name];
  const alpha = alphaOfRun / comparisons;
  const truth = Math.log(ratio);
  const draw = (random: SeededRandom): number => spread * drawNoise(noise, random);
  const reach = simulateReach(draw, { test, alpha, runs: 4000, seed });
  const needed = blocksToDecide(reach, { effect: truth, scale: 1, margin: scaleMargin }, maxBlocksNeeded);
  const random = seededRandom(seed + 1);
  const effectsOf = (blocks: number): number[] => Array.from({ length: blocks }, () => truth + draw(random));
  let decided = 0;
  let covered = 0;
  let open = 0;
  for (let run = 0; run < runs; run++) {
    if (needed !== null && isDecided(effectsOf(needed), name, alpha)) decided++;
    const pairs = effectsOf(seenBlocks).map((effect, blockIndex) => {
      return { blockIndex, baseline: 500, candidate: 500 * Math.exp(effect) };
    });
    const effect = measureEffect(pairs, { form: 'ratio', margin }, test);
    if (isDecided(effect.effects, name, alpha)) continue;
    open++;
    const { blocksNeeded } = planAhead(effect, { alpha, undecided: true, exactShape: true });
    if (holds(blocksNeeded ?? null, needed)) covered++;
  }
  return { runs, needed, decided, covered, open };
}

/** A range without an end is one beyond the most blocks that are looked at. */
function holds(range: readonly [number, number] | null, needed: number | null): boolean {
  if (needed === null) return range === null || range[1] >= maxBlocksNeeded;
  return range !== null && range[0] <= needed && needed <= range[1];
}
