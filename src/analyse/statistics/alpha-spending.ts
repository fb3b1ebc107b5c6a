/** One interim analysis of a sequential test. */
export interface PlannedInterim {
  readonly blocks: number;
  /** Share of the whole error that may be spent by this interim analysis: blocks ÷ planned blocks, and 1 where the run ends. */
  readonly share: number;
}

/** The level really reached by a test that is asked for `level` at an interim analysis; of a discrete test the next one below. */
export type AttainedLevel = (interim: PlannedInterim, level: number) => number;

/** Where a test statistic may stand under the null hypothesis while it has crossed no boundary. */
export interface NullPath {
  /** Goes on to an interim analysis. */
  advance(blocks: number): void;
  /** The two-sided level at which exactly `target` of all runs cross now. */
  levelFor(target: number): number;
  /** Takes out the runs that cross at this level. Returns their share of all. */
  cross(level: number): number;
}

/**
 * Two-sided significance level of each interim analysis, so that a test statistic crosses a boundary by analysis k with probability alpha ·
 * share of analysis k under the null hypothesis (error spending of Lan & DeMets, Biometrika 70, 1983, linear in the
 * information: α·t). What a discrete test cannot spend at an interim analysis carries over to the next.
 *
 * @param interims ascending in blocks and in shares
 * @param path at its beginning
 * @throws RangeError for interim analyses that do not ascend
 */
export function interimLevels(
  interims: readonly PlannedInterim[],
  alpha: number,
  path: NullPath,
  attained: AttainedLevel = (_, level) => level,
): number[] {
  if (interims.length === 0 || interims.some(({ blocks }, i) => blocks <= (interims[i - 1]?.blocks ?? 0))) {
    throw new RangeError(
      `interim analyses must be ascending numbers of blocks, got ${interims.map(({ blocks }) => blocks).join(', ')}`,
    );
  }
  let spent = 0;
  return interims.map((interim) => {
    path.advance(interim.blocks);
    const target = alpha * interim.share - spent;
    const level = attained(interim, target <= 0 ? 0 : path.levelFor(target));
    if (level > 0) spent += path.cross(level);
    return level;
  });
}
