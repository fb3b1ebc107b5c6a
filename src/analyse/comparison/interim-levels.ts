import type { TestName } from '../../core/model/summary.ts';
import type { ErrorLevels } from './error-levels.ts';
import type { AttainedLevel, NullPath, PlannedInterim } from '../statistics/alpha-spending.ts';
import { interimLevels } from '../statistics/alpha-spending.ts';
import { smallestPValue } from '../statistics/attainable-p.ts';
import { locationTests } from '../statistics/location-test.ts';
import { normalPath } from '../statistics/normal-path.ts';
import { untiedSignedRankCumulative } from '../statistics/signed-rank-distribution.ts';
import { studentPath } from '../statistics/student-path.ts';
import { exactSignedRankLimit } from '../statistics/wilcoxon-signed-rank.ts';

/** A sequential run has so many blocks unless it is decided before. */
export const sequentialBlocks = 20;
/** An interim analysis comes after every second block. */
const blocksBetweenInterims = 2;

/** Blocks without which a test gives no verdict. */
export function minBlocksFor(test: TestName): number {
  return locationTests[test].minValues;
}

/**
 * Blocks after which a run of at most `blocks` blocks is judged: from the first at which the test can reach the level that
 * the linear spending has for the first of m comparisons, every second block, and at the end.
 *
 * @param comparisons comparisons in the primary family
 */
export function interimBlocks(
  test: TestName,
  comparisons: number,
  alpha: number,
  blocks: number = sequentialBlocks,
): number[] {
  const reaches = (done: number): boolean =>
    test === 't' || (alpha * done) / blocks / Math.max(1, comparisons) >= smallestPValue(done);
  let interim = minBlocksFor(test);
  while (interim < blocks && !reaches(interim)) interim++;
  const interims: number[] = [];
  for (; interim < blocks; interim += blocksBetweenInterims) interims.push(interim);
  return [...interims, blocks];
}

/** Levels of the interim analyses taken so far, by the share of the error and the test. */
const known = new Map<string, readonly number[]>();

function levelsOf(interims: readonly PlannedInterim[], alpha: number, test: TestName): readonly number[] {
  const key = JSON.stringify([interims, alpha, test]);
  const levels = known.get(key) ?? interimLevels(interims, alpha, pathOf(test, interims), attainedBy[test]);
  known.set(key, levels);
  return levels;
}

/** The statistic of the signed-rank test has nearly independent increments; that of the t test has not. */
function pathOf(test: TestName, interims: readonly PlannedInterim[]): NullPath {
  return test === 't' ? studentPath(interims[0]?.blocks ?? 0) : normalPath(interims.at(-1)?.blocks ?? 1);
}

/** What a test really spends of a level: the exact signed-rank test has few p values at small n. */
const attainedBy: Readonly<Record<TestName, AttainedLevel>> = {
  t: ({ blocks }, level) => (blocks < locationTests.t.minValues ? 0 : level),
  'signed-rank': ({ blocks }, level) => {
    if (blocks > exactSignedRankLimit) return level;
    let attained = 0;
    for (const tail of untiedSignedRankCumulative(blocks)) {
      if (2 * tail > level) break;
      attained = 2 * tail;
    }
    return attained;
  },
};

/**
 * The levels of one interim analysis. Both tests of the margin spend their error alike: the two-sided test of an effect beyond it
 * half on each side, each of the one-sided tests of equivalence the whole on its own.
 *
 * @param interims every interim analysis of the run up to its planned end, as far as it is known; ascending
 * @param index which of them this is
 */
export function levelsAtInterim(interims: readonly PlannedInterim[], index: number): ErrorLevels {
  // A p value that is just reached is below the level: the levels themselves are sums of floating point numbers.
  const justAbove = 1 + 1e-9;
  return {
    beyond: (alpha, test) => (levelsOf(interims, alpha, test)[index] ?? 0) * justAbove,
    equivalent: (alpha, test) => ((levelsOf(interims, 2 * alpha, test)[index] ?? 0) / 2) * justAbove,
  };
}
