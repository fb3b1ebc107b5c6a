import {
  hasReason,
  reasonOf,
  reasonTexts,
  type Reason,
  type WrittenReason,
} from '../../core/model/reasons.ts';
import type { Verdict } from '../../core/model/summary.ts';
import type { EqualityDemand } from './equality-demands.ts';

/** The calibration that measures what is not known. */
export const calibrations = { 'driver-unknown': '--script', 'interception-unknown': '--recording' } as const;

/**
 * What the instrument adds was not measured, and no number of blocks tells it: the calibration that does; null for other reasons.
 */
export function calibrationFor(written: WrittenReason): '--recording' | '--script' | null {
  for (const code of ['driver-unknown', 'interception-unknown'] as const)
    if (hasReason(written, code)) return calibrations[code];
  return null;
}

/** What one comparison's two tests of the margin say, adjusted in its family. */
export interface VerdictInput {
  readonly blocks: number;
  /** Fewest blocks with which the test gives intervals. */
  readonly minBlocks: number;
  /** On which side of the margins the candidate rather is. */
  readonly side: 1 | -1;
  readonly pBeyondMargin: number | null;
  /** By the blocks alone. */
  readonly pEquivalent: number | null;
  /** What is demanded of equality next to the blocks, which is in the adjusted p: why nothing is decided where they alone show it. */
  readonly demand?: Pick<EqualityDemand, 'reason' | 'isOfCondition'> | null;
  /** Of recorded trials: of an effect beyond the margin without what recording may have made. */
  readonly pBeyondPlainMargin: number | null;
  readonly adjustedPBeyondMargin: number | null;
  readonly adjustedPEquivalent: number | null;
  /** Level of the family. */
  readonly alpha: number;
  readonly higherIsBetter: boolean;
  /** A reason for which no verdict may be given, whatever the figures say. */
  readonly veto: Reason | null;
}

export interface VerdictWithReason {
  readonly verdict: Verdict;
  readonly reason?: Reason;
}

/** Which verdict an effect above (1) or below (−1) the margins is. */
export function sideVerdict(side: 1 | -1, higherIsBetter: boolean): 'better' | 'worse' {
  return side > 0 === higherIsBetter ? 'better' : 'worse';
}

const below = (p: number | null, alpha: number): boolean => p !== null && p < alpha;

/** The verdict rule: significantly beyond the margin, or significantly within it, or inconclusive with its reason. */
export function decideVerdict(input: VerdictInput): VerdictWithReason {
  const { blocks, minBlocks, alpha } = input;
  const inconclusive = (reason: Reason): VerdictWithReason => ({ verdict: 'inconclusive', reason });
  if (blocks === 0) return inconclusive(input.veto ?? reasonOf('no-pairs'));
  if (blocks < minBlocks)
    return inconclusive(
      reasonOf('too-few-blocks', `${reasonTexts['too-few-blocks']} (fewer than ${minBlocks})`),
    );
  if (input.veto !== null) return inconclusive(input.veto);
  if (below(input.adjustedPBeyondMargin, alpha)) {
    return { verdict: sideVerdict(input.side, input.higherIsBetter) };
  }
  if (below(input.adjustedPEquivalent, alpha)) return { verdict: 'equivalent' };
  const { demand } = input;
  if (demand && (demand.isOfCondition === true || below(input.pEquivalent, alpha)))
    return inconclusive(demand.reason);
  const alone = below(input.pBeyondMargin, alpha) || below(input.pEquivalent, alpha);
  if (!alone && below(input.pBeyondPlainMargin, alpha))
    return inconclusive(reasonOf('recording-may-have-made-it'));
  return inconclusive(reasonOf(alone ? 'not-significant' : 'crosses-margin'));
}
