import type { Interval } from './hodges-lehmann.ts';

/**
 * Two one-sided tests at level alpha by the interval of level 1 − 2·alpha (Schuirmann 1987): equivalent when
 * it lies wholly within the margin. `interval` and `margin` are on the same additive scale.
 */
export function isEquivalent(interval: Interval | null, margin: number): boolean {
  return interval !== null && interval[0] >= -margin && interval[1] <= margin;
}

/** Whether the whole interval lies beyond the margin, on one side. */
export function isBeyondMargin(interval: Interval | null, margin: number): boolean {
  return interval !== null && (interval[0] > margin || interval[1] < -margin);
}
