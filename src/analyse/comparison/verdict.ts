import type { Verdict } from '../../model/summary.ts';
import { isBeyondMargin, isEquivalent } from '../statistics/equivalence.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { smallestIntervalCount } from '../statistics/hodges-lehmann.ts';

/** Why a comparison is inconclusive. */
export const inconclusiveReasons = {
  noPairs: 'no block has a value in both arms',
  tooFewBlocks: `too few blocks (fewer than ${smallestIntervalCount})`,
  unequalLosses: 'unequal losses',
  ladderSaturated: 'ladder-saturated',
  notSignificant: 'not significant after adjustment',
  crossesMargin: 'interval crosses the margin',
} as const;

export interface VerdictInput {
  readonly blocks: number;
  /** Estimate's 1 − alpha interval, on the scale of `scaleMargin`. */
  readonly interval: Interval | null;
  /** The 1 − 2·alpha interval of the two one-sided tests. */
  readonly equivalenceInterval: Interval | null;
  readonly scaleMargin: number;
  readonly adjustedPValue: number | null;
  readonly alpha: number;
  readonly higherIsBetter: boolean;
  /** A reason for which no verdict may be given, whatever the figures say. */
  readonly veto: string | null;
}

export interface VerdictWithReason {
  readonly verdict: Verdict;
  readonly reason?: string;
}

/** The verdict rule: effect beyond the margin and significant, or equivalent, or inconclusive with its reason. */
export function decideVerdict(input: VerdictInput): VerdictWithReason {
  const { interval, scaleMargin, adjustedPValue } = input;
  const inconclusive = (reason: string): VerdictWithReason => ({ verdict: 'inconclusive', reason });
  if (input.veto !== null) return inconclusive(input.veto);
  if (input.blocks === 0) return inconclusive(inconclusiveReasons.noPairs);
  if (input.blocks < smallestIntervalCount) return inconclusive(inconclusiveReasons.tooFewBlocks);
  const beyond = isBeyondMargin(interval, scaleMargin);
  if (beyond && interval !== null && adjustedPValue !== null && adjustedPValue < input.alpha) {
    return { verdict: interval[0] > 0 === input.higherIsBetter ? 'better' : 'worse' };
  }
  if (isEquivalent(input.equivalenceInterval, scaleMargin)) return { verdict: 'equivalent' };
  return inconclusive(beyond ? inconclusiveReasons.notSignificant : inconclusiveReasons.crossesMargin);
}
