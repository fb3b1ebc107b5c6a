import type { Comparison } from '../../model/summary.ts';
import { inconclusiveReasons, sideVerdict } from './verdict.ts';

/** What forbids a judgement of any kind, whatever the figures say. */
const forbidding: readonly (string | undefined)[] = [
  inconclusiveReasons.unequalLosses,
  inconclusiveReasons.hostsDisagree,
  inconclusiveReasons.ladderSaturated,
];

/** On which side the whole interval lies, whatever the margin: the direction alone of what is too small for a verdict. */
export function sureSide(
  comparison: Pick<Comparison, 'higherIsBetter' | 'ratioInterval' | 'differenceInterval' | 'reason'>,
): 'better' | 'worse' | undefined {
  const { higherIsBetter, ratioInterval, differenceInterval, reason } = comparison;
  if (forbidding.includes(reason)) return undefined;
  const [interval, equal] = ratioInterval === null ? [differenceInterval, 0] : [ratioInterval, 1];
  const [low, high] = interval ?? [equal, equal];
  if (low <= equal && high >= equal) return undefined;
  return sideVerdict(low > equal ? 1 : -1, higherIsBetter);
}
