import type { Metric } from '../../core/metrics/metric.ts';
import { minPlayedSeconds } from '../../core/metrics/rare-events.ts';
import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import { reasonOf, reasonTexts, type Reason } from '../../core/model/reasons.ts';
import type { RareEventCounts } from '../../core/model/rare-events.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import type { EventCount, EventPair } from '../statistics/poisson-rates.ts';
import {
  blocksToEqualRates,
  equalRatesP,
  rateDifferenceInterval,
  rateInterval,
  ratesEquivalentP,
  totalOf,
} from '../statistics/poisson-rates.ts';
import type { ArmPair } from './arm-pairs.ts';
import { completePairs, type PairedValue } from './paired-values.ts';
import type { ConditionTrials } from './trial-table.ts';

/** What must hold, next to the test of the blocks, before two arms are called equal. */
export interface EqualityDemand {
  /** Of the opposite, one-sided: the verdict rests on the larger of this and the p of the blocks. */
  readonly pEquivalent: number;
  /** Why nothing is decided where this alone fails. */
  readonly reason: Reason;
  /** Set where it is why nothing is decided whatever the blocks show: more blocks like them could hardly show anything else. */
  readonly isOfCondition?: true;
  /** How many blocks like those so far would meet it at a level; null: none that are worth an estimate. Absent: no number would. */
  readonly blocksNeeded?: (alpha: number) => number | null;
  readonly rareEvents?: RareEventCounts;
}

const level = 0.95;

const ends = (interval: Interval | null): [number, number] | null => interval && [...interval];

/** A number of both arms in each block that is compared; null where a trial does not tell it. */
export type NumbersOfBlocks = (name: string) => readonly ArmNumbers[] | null;

interface ArmNumbers {
  readonly baseline: number;
  readonly candidate: number;
}

type Arm = keyof ArmNumbers;

/** @param numberOf what the trial of an arm in a block tells by this name */
export function numbersOfBlocks(
  blocks: readonly number[],
  numberOf: (arm: Arm, block: number, name: string) => number | undefined,
): NumbersOfBlocks {
  return (name) => {
    const known = blocks.flatMap((block) => {
      const baseline = numberOf('baseline', block, name);
      const candidate = numberOf('candidate', block, name);
      return baseline === undefined || candidate === undefined ? [] : [{ baseline, candidate }];
    });
    return known.length < blocks.length ? null : known;
  };
}

/** Those numbers from the records of a condition, of the blocks that both arms completed. */
export function numbersOfRecords(
  values: readonly PairedValue[],
  { recordsByArm }: ConditionTrials,
  pair: ArmPair,
): NumbersOfBlocks {
  const blocks = completePairs(values).map(({ blockIndex }) => blockIndex);
  return numbersOfBlocks(blocks, (arm, block, name) =>
    numericMetric(recordsByArm.get(pair[arm].label)?.get(block)?.metrics ?? {}, name),
  );
}

/**
 * What a metric demands of the blocks that both arms completed: enough watched to bound the rate of its events, sessions that last
 * long enough to be called watching, and a condition in which they could have gone otherwise. Null where it demands nothing.
 *
 * @param withoutRisk why the condition could hardly have shown a difference; null where it could
 */
export function equalityDemand(
  definition: Metric,
  numbersOf: NumbersOfBlocks,
  withoutRisk: Reason | null,
): EqualityDemand | null {
  const tooShort = sessionLengthDemand(definition, numbersOf);
  if (tooShort !== null) return tooShort;
  const ofEvents = rareEventDemand(definition, numbersOf);
  if (withoutRisk === null || definition.needsPlayedTime !== true) return ofEvents;
  const { rareEvents } = ofEvents ?? {};
  return {
    pEquivalent: 1,
    reason: withoutRisk,
    isOfCondition: true,
    ...(rareEvents === undefined ? {} : { rareEvents }),
  };
}

/** Equality must be shown by the blocks and by what is demanded next to them: the larger p is that of their union. */
export function pWithDemand(ofBlocks: number | null, demand: EqualityDemand | null): number | null {
  return ofBlocks === null || demand === null ? ofBlocks : Math.max(ofBlocks, demand.pEquivalent);
}

/** @param unit in which the metric counts its exposure, such as `hour of play` */
export function tooLittlePlayed(unit: string): Reason {
  return reasonOf('too-little-exposure', `${reasonTexts['too-little-exposure']} (per ${unit})`);
}

function sessionLengthDemand({ needsPlayedTime }: Metric, numbersOf: NumbersOfBlocks): EqualityDemand | null {
  if (needsPlayedTime !== true) return null;
  const played = numbersOf('playedSeconds');
  if (played === null) return { pEquivalent: 1, reason: reasonOf('exposure-unknown') };
  const shortest = Math.min(...played.flatMap(({ baseline, candidate }) => [baseline, candidate]));
  if (Math.round(shortest) >= minPlayedSeconds) return null;
  return { pEquivalent: 1, reason: reasonOf('sessions-too-short') };
}

function described(count: EventCount): RareEventCounts['baseline'] {
  return {
    ...count,
    rateInterval95: ends(rateInterval(count, level)),
    rateUpperBound95: rateInterval(count, 2 * level - 1)?.[1] ?? null,
  };
}

function rareEventDemand({ rareEvents }: Metric, numbersOf: NumbersOfBlocks): EqualityDemand | null {
  if (rareEvents === undefined) return null;
  const counts = numbersOf(rareEvents.count);
  const exposures = numbersOf(rareEvents.exposure);
  if (counts === null || exposures === null) return { pEquivalent: 1, reason: reasonOf('exposure-unknown') };
  const unitsOf = (exposure = 0): number => exposure / rareEvents.unitExposure;
  const pairs = counts.map(({ baseline, candidate }, i): EventPair => ({
    baseline: { events: baseline, exposure: unitsOf(exposures[i]?.baseline) },
    candidate: { events: candidate, exposure: unitsOf(exposures[i]?.candidate) },
  }));
  const [baseline, candidate] = [pairs.map((p) => p.baseline), pairs.map((p) => p.candidate)].map(totalOf);
  if (baseline === undefined || candidate === undefined) return null;
  const { nouns, unit, marginPerUnit } = rareEvents;
  return {
    pEquivalent: ratesEquivalentP(pairs, marginPerUnit),
    reason: tooLittlePlayed(unit),
    blocksNeeded: (alpha) =>
      blocksToEqualRates(pairs, { margin: marginPerUnit, alpha, maxBlocks: maxBlocksNeeded }),
    rareEvents: {
      nouns: [...nouns],
      unit,
      baseline: described(baseline),
      candidate: described(candidate),
      differenceInterval95: ends(rateDifferenceInterval(pairs, level)),
      margin: marginPerUnit,
      pEqualRates: equalRatesP(baseline, candidate),
    },
  };
}
