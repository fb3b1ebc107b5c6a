import { smallestIntervalCount } from './hodges-lehmann.ts';
import { describeSample } from './quantile.ts';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

/** Whether two arms of the same blocks vary alike. */
export interface SpreadChange {
  /** Mean absolute deviation from the median, candidate ÷ baseline; null where the baseline does not vary. */
  readonly ratio: number | null;
  /** Two-sided, of arms that vary alike. */
  readonly pValue: number;
}

/**
 * Compares the spread of paired samples: Wilcoxon’s signed-rank test of |candidate − its median| − |baseline − its median|
 * (Sandvik & Olsson, Biometrika 69, 1982). What a block does to both arms makes neither of them wider. The test of Pitman and
 * Morgan takes heavy tails for a change of spread (`verify:statistics -- 2000 spread` has both). Null below six pairs.
 */
export function pairedSpread(
  pairs: readonly { readonly baseline: number; readonly candidate: number }[],
): SpreadChange | null {
  if (pairs.length < smallestIntervalCount) return null;
  const baseline = deviations(pairs.map((pair) => pair.baseline));
  const candidate = deviations(pairs.map((pair) => pair.candidate));
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const whole = sum(baseline);
  return {
    ratio: whole === 0 ? null : sum(candidate) / whole,
    pValue: wilcoxonSignedRank(candidate.map((deviation, i) => deviation - (baseline[i] as number))).pValue,
  };
}

/** How far each value lies from the median of all. */
export function deviations(values: readonly number[]): number[] {
  const { median } = describeSample(values);
  return values.map((value) => Math.abs(value - (median ?? 0)));
}
