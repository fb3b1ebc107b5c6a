import type { NoiseSeries } from '../../core/model/calibration.ts';
import { seededRandom } from '../../core/model/seeded-random.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import { hodgesLehmann } from '../statistics/hodges-lehmann.ts';
import { describeSample, quantileOfSorted } from '../statistics/quantile.ts';
import type { RecordedSeries } from './recorded-blocks.ts';
import { drawBlocks, effectsOfDraw, injectedEffects } from './resample.ts';

/** Blocks for which the figures are given. */
export const calibratedBlocks: readonly number[] = Object.freeze([8, 12, 16, 20]);
const power = 0.8;
/** Interquartile range of a normal distribution in standard deviations. */
const normalQuartileRange = 1.349;
/** With fewer recorded blocks resampling says nothing of the tails. */
export const minRecordedBlocks = 8;

interface Reach {
  /** How far the lower end of the interval lies below the truth, in 80 % of runs at most. */
  readonly below: number;
  /** How far the equivalence interval reaches from the truth, in 80 % of runs at most. */
  readonly around: number;
}

/**
 * Intervals shift with the effect (Hodges–Lehmann estimates are shift equivariant), so that resampling without any
 * effect is enough: an effect is found when it exceeds the margin by more than `below`.
 */
function reachOf(series: RecordedSeries, blocks: number, resamples: number, seed: number): Reach {
  const effects = injectedEffects(series.pairs, series.form, {});
  const random = seededRandom(seed + blocks);
  const below: number[] = [];
  const around: number[] = [];
  for (let run = 0; run < resamples; run++) {
    const sample = effectsOfDraw(effects, drawBlocks(effects.length, blocks, random));
    const [interval, equivalence] = hodgesLehmann(sample, [1 - defaultAlpha, 1 - 2 * defaultAlpha]).intervals;
    below.push(interval ? -interval[0] : Infinity);
    around.push(equivalence ? Math.max(-equivalence[0], equivalence[1]) : Infinity);
  }
  const quantile = (values: number[]): number =>
    quantileOfSorted(
      values.sort((a, b) => a - b),
      power,
    ) ?? Infinity;
  return { below: quantile(below), around: quantile(around) };
}

/** Noise of a series, and what so many blocks can see in it with 80 % power; null for too few recorded blocks. */
export function describeNoise(series: RecordedSeries, resamples: number, seed: number): NoiseSeries | null {
  const { example, arm, form, pairs } = series;
  if (pairs.length < minRecordedBlocks) return null;
  const effects = injectedEffects(pairs, form, {}).map(([effect]) => effect);
  const { quartiles } = describeSample(effects);
  const isRatio = form === 'ratio';
  const scaleMargin = isRatio ? Math.log1p(example.margin) : example.margin;
  const shown = (value: number): number => (isRatio ? Math.expm1(value) : value);
  const reaches = calibratedBlocks.map((blocks) => ({
    blocks,
    reach: reachOf(series, blocks, resamples, seed),
  }));
  const { workload, workloadKind, client, network, server, metric, unit, margin } = example;
  return {
    workload,
    workloadKind,
    client,
    network,
    server,
    arm,
    metric,
    unit,
    form,
    margin,
    blocks: pairs.length,
    noise: quartiles === null ? 0 : (quartiles[1] - quartiles[0]) / normalQuartileRange,
    smallestEffect: reaches.map(({ blocks, reach }) => ({ blocks, value: shown(scaleMargin + reach.below) })),
    smallestMargin: reaches.map(({ blocks, reach }) => ({ blocks, value: shown(reach.around) })),
  };
}
