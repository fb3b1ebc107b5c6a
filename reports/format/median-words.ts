import { mediansAgree } from '../../src/core/model/medians.ts';
import type { Comparison } from '../../src/core/model/summary.ts';
import { formatMeasured, isNumber } from './numbers.ts';

/** Why no median of the candidate stands next to a change. */
export const mediansApart =
  'Not shown: the medians of both sides differ by another amount than the blocks do, and the blocks decide.';

/** Both medians, `831 ms → 1.03 s`; the baseline's alone, `from 831 ms`, where both would say another change than the comparison. */
export function mediansText(comparison: Comparison): string {
  const { baseline, candidate, unit } = comparison;
  if (!isNumber(baseline.median) || !isNumber(candidate.median)) return '';
  const from = formatMeasured(baseline.median, unit);
  return mediansAgree(comparison) ? `${from} → ${formatMeasured(candidate.median, unit)}` : `from ${from}`;
}
