import { normalCdf, normalQuantile } from './normal-distribution.ts';

/** Grid points of the numerical integration between the boundaries; even, for Simpson's rule. */
const gridIntervals = 240;
/** Boundaries are searched for between these z. */
const searchRange = [0, 12] as const;

/** One look of a sequential test. */
export interface SpendingLook {
  readonly blocks: number;
  /** Share of the whole error that may be spent by this look: blocks ÷ planned blocks, and 1 where the run ends. */
  readonly share: number;
}

/** The level really reached by a test that is asked for `level` at a look; of a discrete test the next one below. */
export type AttainedLevel = (look: SpendingLook, level: number) => number;

/**
 * Two-sided significance level of each look, so that a test statistic with independent increments crosses a boundary by
 * look k with probability alpha · share of look k under the null hypothesis (error spending of Lan & DeMets, Biometrika 70,
 * 1983, linear in the information: α·t). What a discrete test cannot spend at a look carries over to the next. Boundaries
 * by the recursive integration of Armitage, McPherson & Rowe (JRSS A 132, 1969).
 *
 * @param looks ascending in blocks and in shares
 * @throws RangeError for looks that do not ascend
 */
export function lookLevels(
  looks: readonly SpendingLook[],
  alpha: number,
  attained: AttainedLevel = (_, level) => level,
): number[] {
  const last = looks[looks.length - 1];
  if (last === undefined || looks.some(({ blocks }, i) => blocks <= (looks[i - 1]?.blocks ?? 0))) {
    throw new RangeError(
      `looks must be ascending numbers of blocks, got ${looks.map(({ blocks }) => blocks).join(', ')}`,
    );
  }
  const levels: number[] = [];
  let previous: Surviving | null = null;
  let spent = 0;
  for (const look of looks) {
    const time = look.blocks / last.blocks;
    const target = alpha * look.share - spent;
    const level = attained(look, target <= 0 ? 0 : 2 * normalCdf(-boundary(previous, time, target)));
    levels.push(level);
    const z = level <= 0 ? searchRange[1] : normalQuantile(1 - level / 2);
    const limit = z * Math.sqrt(time);
    spent += level <= 0 ? 0 : previous === null ? level : crossing(previous, time, limit);
    previous = survivors(previous, time, limit);
  }
  return levels;
}
/** Sub-density of the score process at `time` over paths that have crossed no boundary yet, on an even grid. */
interface Surviving {
  readonly time: number;
  readonly points: Float64Array;
  /** Density times Simpson weight: sums are integrals. */
  readonly weighted: Float64Array;
}

/** The z at which exactly `target` of the null probability crosses at this look. */
function boundary(previous: Surviving | null, time: number, target: number): number {
  if (previous === null) return normalQuantile(1 - target / 2);
  let [low, high] = searchRange as readonly [number, number];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (crossing(previous, time, middle * Math.sqrt(time)) > target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function crossing(previous: Surviving, time: number, limit: number): number {
  const spread = Math.sqrt(time - previous.time);
  return previous.points.reduce((sum, point, i) => {
    const outside = normalCdf((-limit - point) / spread) + normalCdf((point - limit) / spread);
    return sum + outside * (previous.weighted[i] as number);
  }, 0);
}

function survivors(previous: Surviving | null, time: number, limit: number): Surviving {
  const spread = Math.sqrt(time - (previous?.time ?? 0));
  const step = (2 * limit) / gridIntervals;
  const points = Float64Array.from({ length: gridIntervals + 1 }, (_, i) => -limit + i * step);
  const density = (distance: number): number =>
    Math.exp(-((distance / spread) ** 2) / 2) / (spread * Math.sqrt(2 * Math.PI));
  const weighted = points.map((point, i) => {
    const simpson = i === 0 || i === gridIntervals ? 1 : i % 2 === 1 ? 4 : 2;
    const here =
      previous === null
        ? density(point)
        : previous.points.reduce(
            (sum, from, j) => sum + density(point - from) * (previous.weighted[j] as number),
            0,
          );
    return (here * simpson * step) / 3;
  });
  return { time, points, weighted };
}
