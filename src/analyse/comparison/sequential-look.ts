import type { TestName } from '../../core/model/summary.ts';
import type { ErrorLevels } from './error-levels.ts';
import type { AttainedLevel, NullPath, SpendingLook } from '../statistics/alpha-spending.ts';
import { lookLevels } from '../statistics/alpha-spending.ts';
import { smallestPValue } from '../statistics/attainable-p.ts';
import { locationTests } from '../statistics/location-test.ts';
import { normalPath } from '../statistics/normal-path.ts';
import { untiedSignedRankCumulative } from '../statistics/signed-rank-distribution.ts';
import { studentPath } from '../statistics/student-path.ts';
import { exactSignedRankLimit } from '../statistics/wilcoxon-signed-rank.ts';

/** A sequential run has so many blocks unless it is decided before. */
export const sequentialBlocks = 20;
/** A look comes after every second block. */
const blocksBetweenLooks = 2;

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
export function lookBlocks(
  test: TestName,
  comparisons: number,
  alpha: number,
  blocks: number = sequentialBlocks,
): number[] {
  const reaches = (done: number): boolean =>
    test === 't' || (alpha * done) / blocks / Math.max(1, comparisons) >= smallestPValue(done);
  let look = minBlocksFor(test);
  while (look < blocks && !reaches(look)) look++;
  const looks: number[] = [];
  for (; look < blocks; look += blocksBetweenLooks) looks.push(look);
  return [...looks, blocks];
}

/** Levels of the looks taken so far, by the share of the error and the test. */
const known = new Map<string, readonly number[]>();

function levelsOf(looks: readonly SpendingLook[], alpha: number, test: TestName): readonly number[] {
  const key = JSON.stringify([looks, alpha, test]);
  const levels = known.get(key) ?? lookLevels(looks, alpha, pathOf(test, looks), attainedBy[test]);
  known.set(key, levels);
  return levels;
}

/** The statistic of the signed-rank test has nearly independent increments; that of the t test has not. */
function pathOf(test: TestName, looks: readonly SpendingLook[]): NullPath {
  return test === 't' ? studentPath(looks[0]?.blocks ?? 0) : normalPath(looks.at(-1)?.blocks ?? 1);
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
 * The levels of one look. Both tests of the margin spend their error alike: the two-sided test of an effect beyond it
 * half on each side, each of the one-sided tests of equivalence the whole on its own.
 *
 * @param looks every look of the run up to its planned end, as far as it is known; ascending
 * @param index which of them this is
 */
export function levelsAtLook(looks: readonly SpendingLook[], index: number): ErrorLevels {
  // A p value that is just reached is below the level: the levels themselves are sums of floating point numbers.
  const justAbove = 1 + 1e-9;
  return {
    beyond: (alpha, test) => (levelsOf(looks, alpha, test)[index] ?? 0) * justAbove,
    equivalent: (alpha, test) => ((levelsOf(looks, 2 * alpha, test)[index] ?? 0) / 2) * justAbove,
  };
}
