import { normalCdf, normalQuantile } from './normal-distribution.ts';

/** Grid points of the numerical integration between the boundaries; even, for Simpson's rule. */
const gridIntervals = 400;
/** Boundaries are searched for between these z. */
const searchRange = [0, 12] as const;

/**
 * Error spent up to information fraction t by the O'Brien–Fleming type function of Lan & DeMets
 * (Biometrika 70, 1983): α(t) = 2 − 2Φ(z_{α/2}/√t), here of a two-sided test.
 */
export function spentAlpha(fraction: number, alpha: number): number {
  if (fraction <= 0) return 0;
  if (fraction >= 1) return alpha;
  return 2 * normalCdf(-normalQuantile(1 - alpha / 2) / Math.sqrt(fraction));
}

/**
 * Two-sided significance level of each look, so that a test statistic with independent increments crosses
 * a boundary by look k with probability spentAlpha(tₖ) under the null hypothesis. Boundaries by the recursive
 * integration of Armitage, McPherson & Rowe (JRSS A 132, 1969).
 *
 * @param looks blocks at each look, ascending; the last one is the whole information
 */
export function lookLevels(looks: readonly number[], alpha: number): number[] {
  const last = looks[looks.length - 1];
  if (last === undefined || looks.some((blocks, i) => blocks <= (looks[i - 1] ?? 0))) {
    throw new RangeError(`looks must be ascending numbers of blocks, got ${looks.join(', ')}`);
  }
  const levels: number[] = [];
  let previous: Surviving | null = null;
  let spent = 0;
  for (const blocks of looks) {
    const time = blocks / last;
    const target = spentAlpha(time, alpha) - spent;
    const z = boundary(previous, time, target);
    levels.push(2 * normalCdf(-z));
    previous = survivors(previous, time, z * Math.sqrt(time));
    spent += target;
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
