import type { TestName } from '../../core/model/summary.ts';
import type { LocationEstimate } from './hodges-lehmann.ts';
import { hodgesLehmann, smallestIntervalCount } from './hodges-lehmann.ts';
import { momentsOf, oneSampleT, tInterval } from './student-t.ts';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

/** One-sided p of a centre that is not above, and not below, a value. */
export interface Tails {
  readonly pGreater: number;
  readonly pLess: number;
}

/** A test of the centre of one sample with the estimate and the intervals that belong to it. */
export interface LocationTest {
  readonly name: TestName;
  /** Fewest values with which intervals are given. */
  readonly minValues: number;
  /** Estimate, and the interval at each level. */
  locate(sample: readonly number[], levels: readonly number[]): LocationEstimate;
  /** Null for an empty sample. */
  tails(sample: readonly number[], shift: number): Tails | null;
  /** Of a test for blocks that several hosts ran (`testOverHosts`). */
  readonly overHosts?: {
    readonly handling: 'fixed' | 'clustered';
    /** The test of `unitsOf` a sample, about samples of any size. */
    readonly plain: LocationTest;
    unitsOf(sample: readonly number[]): readonly number[];
  };
}

const signedRank: LocationTest = {
  name: 'signed-rank',
  minValues: smallestIntervalCount,
  locate: hodgesLehmann,
  tails: (sample, shift) => (sample.length === 0 ? null : wilcoxonSignedRank(sample, shift)),
};

/** With fewer values the t test of block means was not shown to keep its level. */
const minForT = 4;

const oneSample: LocationTest = {
  name: 't',
  minValues: minForT,
  locate: (sample, levels) => {
    if (sample.length === 0) return { estimate: null, intervals: levels.map(() => null) };
    const moments = momentsOf(sample);
    const intervals = levels.map((level) => (sample.length < minForT ? null : tInterval(moments, level)));
    return { estimate: moments.mean, intervals };
  },
  tails: (sample, shift) => {
    if (sample.length < 2) return null;
    const { n, mean, variance } = momentsOf(sample);
    return oneSampleT(mean, Math.sqrt(variance / n), n - 1, shift);
  },
};

export const locationTests: Readonly<Record<TestName, LocationTest>> = Object.freeze({
  'signed-rank': signedRank,
  t: oneSample,
});

/** What the verdict rests on, and the test of no difference at all. */
export interface MarginTest {
  /** Of no difference, two-sided. */
  readonly pValue: number;
  /** Two-sided p of a centre within ±margin: the smaller one-sided p, doubled. */
  readonly pBeyondMargin: number;
  /** The larger of the two one-sided p of a centre at or beyond either margin (Schuirmann 1987). */
  readonly pEquivalent: number;
  /** On which side of the margins the centre is rather to be found. */
  readonly side: 1 | -1;
}

/**
 * Null for samples that are too small for the test.
 *
 * @param within the margin of `pEquivalent`, where it is not that of `pBeyondMargin`: below zero nothing is equivalent
 */
export function testMargin(
  test: LocationTest,
  sample: readonly number[],
  margin: number,
  within: number = margin,
): MarginTest | null {
  const tailsAt = (shift: number): Tails | null => test.tails(sample, shift);
  const none = tailsAt(0);
  const upper = tailsAt(margin);
  const lower = tailsAt(-margin);
  const [above, below] = within === margin ? [upper, lower] : [tailsAt(within), tailsAt(-within)];
  if (!none || !upper || !lower || !above || !below) return null;
  return {
    pValue: Math.min(1, 2 * Math.min(none.pGreater, none.pLess)),
    pBeyondMargin: Math.min(1, 2 * Math.min(upper.pGreater, lower.pLess)),
    pEquivalent: within < 0 ? 1 : Math.max(above.pLess, below.pGreater),
    side: upper.pGreater <= lower.pLess ? 1 : -1,
  };
}
