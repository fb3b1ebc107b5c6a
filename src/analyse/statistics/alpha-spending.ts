/** One look of a sequential test. */
export interface SpendingLook {
  readonly blocks: number;
  /** Share of the whole error that may be spent by this look: blocks ÷ planned blocks, and 1 where the run ends. */
  readonly share: number;
}

/** The level really reached by a test that is asked for `level` at a look; of a discrete test the next one below. */
export type AttainedLevel = (look: SpendingLook, level: number) => number;

/** Where a test statistic may stand under the null hypothesis while it has crossed no boundary. */
export interface NullPath {
  /** Goes on to a look. */
  advance(blocks: number): void;
  /** The two-sided level at which exactly `target` of all runs cross now. */
  levelFor(target: number): number;
  /** Takes out the runs that cross at this level. Returns their share of all. */
  cross(level: number): number;
}

/**
 * Two-sided significance level of each look, so that a test statistic crosses a boundary by look k with probability alpha ·
 * share of look k under the null hypothesis (error spending of Lan & DeMets, Biometrika 70, 1983, linear in the
 * information: α·t). What a discrete test cannot spend at a look carries over to the next.
 *
 * @param looks ascending in blocks and in shares
 * @param path at its beginning
 * @throws RangeError for looks that do not ascend
 */
export function lookLevels(
  looks: readonly SpendingLook[],
  alpha: number,
  path: NullPath,
  attained: AttainedLevel = (_, level) => level,
): number[] {
  if (looks.length === 0 || looks.some(({ blocks }, i) => blocks <= (looks[i - 1]?.blocks ?? 0))) {
    throw new RangeError(
      `looks must be ascending numbers of blocks, got ${looks.map(({ blocks }) => blocks).join(', ')}`,
    );
  }
  let spent = 0;
  return looks.map((look) => {
    path.advance(look.blocks);
    const target = alpha * look.share - spent;
    const level = attained(look, target <= 0 ? 0 : path.levelFor(target));
    if (level > 0) spent += path.cross(level);
    return level;
  });
}
