import ttest2 from '@stdlib/stats-ttest2';

export interface WelchTest {
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  /** Two-sided. */
  readonly pValue: number;
}

/**
 * Welch's t test of equal means without equal variances (Welch 1947), for the studies that used it.
 * Null when a sample has fewer than two values or neither varies: then t is not defined.
 */
export function welchT(first: readonly number[], second: readonly number[]): WelchTest | null {
  const constant = (sample: readonly number[]): boolean => sample.every((value) => value === sample[0]);
  if (first.length < 2 || second.length < 2 || (constant(first) && constant(second))) return null;
  const result = ttest2([...first], [...second], { variance: 'unequal' });
  return { statistic: result.statistic, degreesOfFreedom: result.df, pValue: result.pValue };
}
