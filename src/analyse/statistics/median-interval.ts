import type { Interval } from './hodges-lehmann.ts';
import { quantileInterval } from './quantile-interval.ts';

/** Interval of a median by order statistics. Null below six values. */
export function medianInterval(sample: readonly number[], level: number): Interval | null {
  return quantileInterval(sample, 0.5, level);
}
