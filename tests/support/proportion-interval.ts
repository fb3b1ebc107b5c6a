import betaQuantile from '@stdlib/stats-base-dists-beta-quantile';
import type { Interval } from '../../src/analyse/statistics/hodges-lehmann.ts';
import { proportionUpperBound } from '../../src/analyse/statistics/proportion-interval.ts';

/** Two-sided interval of a proportion of independent trials (Clopper & Pearson 1934). Null without trials. */
export function proportionInterval(events: number, trials: number, level: number): Interval | null {
  if (trials === 0) return null;
  const side = (1 + level) / 2;
  const low = events <= 0 ? 0 : betaQuantile(1 - side, events, trials - events + 1);
  return [low, proportionUpperBound(events, trials, side) ?? 1];
}
