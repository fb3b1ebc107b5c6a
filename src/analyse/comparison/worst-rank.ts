import type { WorstRank } from '../../core/model/summary.ts';
import type { Effect } from './effect.ts';
import { intervalsOf, logRatio } from './effect.ts';
import type { CompletePair } from './paired-values.ts';
import { testMargin } from '../statistics/location-test.ts';
import { testOverHosts } from '../statistics/over-hosts.ts';

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
export interface LostBlock {
  readonly arm: 'baseline' | 'candidate';
  /** Name of the machine that ran it; empty where it is not known. */
  readonly host: string;
  /**
   * Where the machine delayed the path and nothing else was against the trial: what the other arm measured, and for the lost
   * trial the worst value that either arm left in this condition.
   */
  readonly atWorst?: Pick<CompletePair, 'baseline' | 'candidate'>;
}

/**
 * The worst-rank analysis of single comparisons (Lachin, Controlled Clinical Trials 20, 1999): a block that one arm lost
 * takes the largest rank against that arm. A block that both lost says nothing about either. A trial of which nothing but
 * the path was late ran to its end, and the machine is the cause: it takes the worst value seen, as every loss of a pool does.
 */
export function worstRankCase(
  effect: Effect,
  lost: readonly LostBlock[],
  losses: Losses,
  higherIsBetter: boolean,
): WorstCase | null {
  if (losses.baseline + losses.candidate === 0) return null;
  const hosts = [...effect.hosts, ...lost.map(({ host }) => host)];
  const test = testOverHosts(effect.plainTest, hosts);
  // A mean has no ranks: there a lost block is as bad as the worst that was seen.
  const [times, more] = test.overHosts?.handling === 'clustered' ? [1, 0] : [2, 1];
  const beyond = (values: readonly number[]): number =>
    times * (Math.max(0, ...values.map(Math.abs)) + Math.abs(effect.scaleMargin)) + more;
  const against = ({ arm }: LostBlock): number => ((arm === 'candidate') === higherIsBetter ? -1 : 1);
  const withLost = (values: readonly number[], form: Effect['form']): number[] => [
    ...values,
    ...lost.map((block) => effectAtWorst(block, form) ?? against(block) * beyond(values)),
  ];
  const effects = withLost(effect.effects, effect.form);
  const differences = withLost(effect.differences, 'difference');
  const seen = [...effect.effects, ...lost.map((block) => effectAtWorst(block, effect.form) ?? 0)];
  return {
    losses,
    bound: Math.max(0, ...seen.map(Math.abs)),
    effect: {
      ...effect,
      effects,
      differences,
      test,
      hosts,
      estimate: test.locate(effects, []).estimate,
      difference: test.locate(differences, []).estimate,
      margins: testMargin(test, effects, effect.scaleMargin, effect.equivalenceMargin),
    },
  };
}

/** Undefined where the block takes the largest rank. */
function effectAtWorst({ atWorst }: LostBlock, form: Effect['form']): number | undefined {
  if (atWorst === undefined) return undefined;
  const effect = form === 'ratio' ? logRatio(atWorst) : atWorst.candidate - atWorst.baseline;
  return Number.isFinite(effect) ? effect : undefined;
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
