import type { Verdict } from '../../model/summary.ts';

/** Why a comparison is inconclusive. */
export const inconclusiveReasons = {
  noPairs: 'no block has a value in both arms',
  tooFewBlocks: (fewest: number) => `too few blocks (fewer than ${fewest})`,
  unequalLosses: 'unequal losses',
  ladderSaturated: 'ladder-saturated',
  notSignificant: 'not significant after adjustment',
  hostsDisagree: 'hosts disagree',
  crossesMargin: 'interval crosses the margin',
  watchingMayHaveMadeIt: 'watching may have made it',
  watchingUnknown: 'watching not measured',
  driverUnknown: 'what the script’s library adds to each protocol was not measured (h2h3 calibrate --script)',
  askedUnknown: (asked: string) =>
    `what ${asked} adds to each protocol was not measured (h2h3 calibrate --watching)`,
  paintsAfterLoad: 'the first paint comes after the load event',
  watchedAlone: (arm: string) => `only ${arm} was watched`,
  tooLittleWatched: (unit: string) => `too little was seen to rule out a difference of rates (per ${unit})`,
  exposureUnknown: 'how much was watched is not recorded: npx h2h3 report --recompute works it out',
  sessionsTooShort: 'sessions of less than a minute are too short for a verdict about stalls or quality',
} as const;

/** What the instrument adds was not measured, and no number of blocks tells it: the calibration that does; null for other reasons. */
export function calibrationFor(reason: string | undefined): '--watching' | '--script' | null {
  const [, flag] = /\(h2h3 calibrate (--\w+)\)$/.exec(reason ?? '') ?? [];
  return flag === '--watching' || flag === '--script' ? flag : null;
}

/** What one comparison's two tests of the margin say, adjusted in its family. */
export interface VerdictInput {
  readonly blocks: number;
  /** Fewest blocks with which the test gives intervals. */
  readonly fewestBlocks: number;
  /** On which side of the margins the candidate rather is. */
  readonly side: 1 | -1;
  readonly pBeyondMargin: number | null;
  /** By the blocks alone. */
  readonly pEquivalent: number | null;
  /** What is demanded of equality next to the blocks, which is in the adjusted p: why nothing is decided where they alone show it. */
  readonly demand?: { readonly reason: string } | null;
  /** Of evidence trials: of an effect beyond the margin without what watching may have made. */
  readonly pBeyondPlainMargin: number | null;
  readonly adjustedPBeyondMargin: number | null;
  readonly adjustedPEquivalent: number | null;
  /** Level of the family. */
  readonly alpha: number;
  readonly higherIsBetter: boolean;
  /** A reason for which no verdict may be given, whatever the figures say. */
  readonly veto: string | null;
}

export interface VerdictWithReason {
  readonly verdict: Verdict;
  readonly reason?: string;
}

/** Which verdict an effect above (1) or below (−1) the margins is. */
export function sideVerdict(side: 1 | -1, higherIsBetter: boolean): 'better' | 'worse' {
  return side > 0 === higherIsBetter ? 'better' : 'worse';
}

const below = (p: number | null, alpha: number): boolean => p !== null && p < alpha;

/** The verdict rule: significantly beyond the margin, or significantly within it, or inconclusive with its reason. */
export function decideVerdict(input: VerdictInput): VerdictWithReason {
  const { blocks, fewestBlocks, alpha } = input;
  const inconclusive = (reason: string): VerdictWithReason => ({ verdict: 'inconclusive', reason });
  if (blocks === 0) return inconclusive(input.veto ?? inconclusiveReasons.noPairs);
  if (blocks < fewestBlocks) return inconclusive(inconclusiveReasons.tooFewBlocks(fewestBlocks));
  if (input.veto !== null) return inconclusive(input.veto);
  if (below(input.adjustedPBeyondMargin, alpha)) {
    return { verdict: sideVerdict(input.side, input.higherIsBetter) };
  }
  if (below(input.adjustedPEquivalent, alpha)) return { verdict: 'equivalent' };
  if (input.demand && below(input.pEquivalent, alpha)) return inconclusive(input.demand.reason);
  const alone = below(input.pBeyondMargin, alpha) || below(input.pEquivalent, alpha);
  if (!alone && below(input.pBeyondPlainMargin, alpha))
    return inconclusive(inconclusiveReasons.watchingMayHaveMadeIt);
  return inconclusive(alone ? inconclusiveReasons.notSignificant : inconclusiveReasons.crossesMargin);
}
