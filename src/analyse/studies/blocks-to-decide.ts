import type { LocationTest } from '../statistics/location-test.ts';
import { normalQuantile } from '../statistics/normal-distribution.ts';
import { blockEffects, type Contrasts } from './contrasts.ts';

const power = 0.8;

/** An interval, and how far from its estimate it has to end. */
interface Target {
  readonly level: number;
  /** On the scale of the test; not above zero where no interval is narrow enough. */
  away(estimate: number): number;
  /** How much narrower than `away` the interval must be for 80 % of runs to end it there. */
  readonly spare: number;
  /** What lost trials may count as. */
  readonly lostAs: readonly (1 | -1 | null)[];
}

/** Two-sided, at 5 %. */
const sided = { level: 0.95, spare: 1 + normalQuantile(power) / normalQuantile(0.975) };
/** Two one-sided tests at 5 %. Both must succeed, so that each may fail in half of the runs that are left. */
const alike = { level: 0.9, spare: 1 + normalQuantile((1 + power) / 2) / normalQuantile(0.95) };

/** So many times the blocks of now narrow the interval as far: its width goes with one over their square root. */
function timesAsMany(contrasts: Contrasts, test: LocationTest, target: Target): number {
  const times = target.lostAs.map((lostAs) => {
    const { estimate, intervals } = test.locate(blockEffects(contrasts, lostAs), [target.level]);
    const [interval] = intervals;
    if (estimate === null || interval === null || interval === undefined) return Infinity;
    const away = target.away(estimate);
    return away > 0 ? (((interval[1] - interval[0]) / 2) * (target.spare / away)) ** 2 : Infinity;
  });
  return Math.max(...times);
}

export interface WantedDecision {
  /** What recording may have added, on the scale of the test. */
  readonly widerBy: number;
  /** In or out of which the interval must lie where a range was published, on the scale of the test. */
  readonly range?: readonly [number, number] | undefined;
}

function targetsOf(contrasts: Contrasts, side: 1 | -1, { widerBy, range }: WantedDecision): Target[] {
  if (range !== undefined) {
    const [low, high] = range;
    const inside = (value: number): number => Math.min(value - low, high - value);
    return [1, -1].map((sign) => ({
      ...sided,
      lostAs: [null, 1, -1],
      away: (value) => sign * inside(value) - widerBy,
    }));
  }
  return [
    {
      ...sided,
      lostAs: [null, side === 1 ? -1 : 1],
      away: (value) => value * side - contrasts.margin - widerBy,
    },
    { ...alike, lostAs: [null, 1, -1], away: (value) => contrasts.margin - widerBy - Math.abs(value) },
  ];
}

/**
 * Blocks with which 80 % of runs would decide, if effect, noise and the share of lost trials stayed as they are: a forecast
 * from how wide the interval is now. Null where no number of blocks decides, because the effect has no size or lies at a
 * margin.
 */
export function blocksToDecide(
  contrasts: Contrasts,
  test: LocationTest,
  wanted: WantedDecision,
): number | null {
  const effects = blockEffects(contrasts, null);
  const { estimate } = test.locate(effects, []);
  const side = (estimate ?? 0) < 0 ? -1 : 1;
  const times = Math.min(
    ...targetsOf(contrasts, side, wanted).map((target) => timesAsMany(contrasts, test, target)),
  );
  return Number.isFinite(times) ? Math.max(effects.length + 1, Math.ceil(effects.length * times)) : null;
}
