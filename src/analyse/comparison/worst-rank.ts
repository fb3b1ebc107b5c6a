import type { WorstRank } from '../../model/summary.ts';
import type { Effect } from './effect.ts';
import { intervalsOf } from './effect.ts';
import { testMargin } from '../statistics/location-test.ts';

/** Trials that ran and left no value, by arm. */
export interface Losses {
  readonly baseline: number;
  readonly candidate: number;
}

/** A comparison made again with every lost trial at its worst, before any verdict. */
export interface WorstCase {
  readonly losses: Losses;
  readonly effect: Effect;
  /** Blocks whose effect stands for "worse than anything seen": estimates that lie there are no numbers. */
  readonly bound: number;
}

/** A block in which one arm lost its trial. */
export type LostBlock = 'baseline' | 'candidate';

/**
 * The worst-rank analysis of single comparisons (Lachin, Controlled Clinical Trials 20, 1999): a block that one arm lost
 * takes the largest rank against that arm. A block that both lost says nothing about either.
 */
export function worstRankCase(
  effect: Effect,
  lost: readonly LostBlock[],
  losses: Losses,
  higherIsBetter: boolean,
): WorstCase | null {
  if (losses.baseline + losses.candidate === 0) return null;
  const beyond = (values: readonly number[]): number =>
    2 * (Math.max(0, ...values.map(Math.abs)) + Math.abs(effect.scaleMargin)) + 1;
  const against = (arm: LostBlock): number => ((arm === 'candidate') === higherIsBetter ? -1 : 1);
  const withLost = (values: readonly number[]): number[] => [
    ...values,
    ...lost.map((arm) => against(arm) * beyond(values)),
  ];
  const effects = withLost(effect.effects);
  const differences = withLost(effect.differences);
  return {
    losses,
    bound: Math.max(0, ...effect.effects.map(Math.abs)),
    effect: {
      ...effect,
      effects,
      differences,
      estimate: effect.test.locate(effects, []).estimate,
      difference: effect.test.locate(differences, []).estimate,
      margins: testMargin(effect.test, effects, effect.scaleMargin),
    },
  };
}

/** Figures of the worst case as the summary shows them; what lies beyond anything seen is no figure. */
export function worstRankFigures(worst: WorstCase, level: number): Omit<WorstRank, 'verdict'> {
  const { losses, effect, bound } = worst;
  const isRatio = effect.form === 'ratio';
  const seen = (value: number): boolean => Math.abs(value) <= bound * (1 + 1e-9);
  const intervals = intervalsOf(effect, level);
  const located = effect.estimate !== null && seen(effect.estimate);
  const scaled = isRatio ? intervals.ratioInterval?.map(Math.log) : intervals.differenceInterval;
  const within = located && scaled?.every(seen) === true;
  return {
    lostBaseline: losses.baseline,
    lostCandidate: losses.candidate,
    ratio: isRatio && located ? Math.exp(effect.estimate) : null,
    ratioInterval: isRatio && within ? intervals.ratioInterval : null,
    difference: !isRatio && located ? effect.estimate : null,
    differenceInterval: !isRatio && within ? intervals.differenceInterval : null,
    pBeyondMargin: effect.margins?.pBeyondMargin ?? null,
    pEquivalent: effect.margins?.pEquivalent ?? null,
  };
}

/** The worst value that either arm left at a site: what a lost trial there is counted with. */
export function worstOf(values: readonly number[], higherIsBetter: boolean): number | null {
  if (values.length === 0) return null;
  return values.reduce((worst, value) => (value > worst === higherIsBetter ? worst : value));
}
