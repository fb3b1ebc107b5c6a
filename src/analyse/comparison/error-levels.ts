import type { TestName } from '../../core/model/summary.ts';

/** At which level a test may be made now whose share of the family's error is `alpha`. */
export interface ErrorLevels {
  /** Of the two-sided test of an effect beyond the margin. */
  readonly beyond: (alpha: number, test: TestName) => number;
  /** Of each of the two one-sided tests of equivalence. */
  readonly equivalent: (alpha: number, test: TestName) => number;
}

/** A run that is judged once spends its whole error then. */
export const fixedLevels: ErrorLevels = Object.freeze({
  beyond: (alpha: number) => alpha,
  equivalent: (alpha: number) => alpha,
});
