import type { NullPath } from './alpha-spending.ts';
import { normalCdf, normalQuantile } from './normal-distribution.ts';

/** Grid points of the numerical integration between the boundaries; even, for Simpson's rule. */
const gridIntervals = 240;
/** Boundaries are searched for between these z. */
const searchRange = [0, 12] as const;

/** Sub-density of the score process at `time` over paths that have crossed no boundary yet, on an even grid. */
interface Surviving {
  readonly time: number;
  readonly points: Float64Array;
  /** Density times Simpson weight: sums are integrals. */
  readonly weighted: Float64Array;
}

/**
 * A statistic with independent normal increments, such as that of the signed-rank test nearly is: the recursive
 * integration of Armitage, McPherson & Rowe (JRSS A 132, 1969).
 *
 * @param lastBlocks blocks at the last interim analysis
 */
export function normalPath(lastBlocks: number): NullPath {
  let surviving: Surviving | null = null;
  let time = 0;
  let taken = true;
  // An interim analysis without a boundary cuts nothing off; the path goes on from the interim analysis before it.
  const settle = (): void => {
    if (!taken) surviving = survivors(surviving, time, searchRange[1] * Math.sqrt(time));
    taken = true;
  };
  return {
    advance: (blocks) => {
      settle();
      time = blocks / lastBlocks;
      taken = false;
    },
    levelFor: (target) => 2 * normalCdf(-boundary(surviving, time, target)),
    cross: (level) => {
      const limit = normalQuantile(1 - level / 2) * Math.sqrt(time);
      const crossed = surviving === null ? level : crossing(surviving, time, limit);
      surviving = survivors(surviving, time, limit);
      taken = true;
      return crossed;
    },
  };
}

/** The z at which exactly `target` of the null probability crosses at this interim analysis. */
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
