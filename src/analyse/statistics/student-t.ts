import tCdf from '@stdlib/stats-base-dists-t-cdf';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import type { Interval } from './hodges-lehmann.ts';

/** Mean and variance (n − 1) of a sample. */
export interface Moments {
  readonly n: number;
  readonly mean: number;
  readonly variance: number;
}

export function momentsOf(sample: readonly number[]): Moments {
  const n = sample.length;
  const mean = sample.reduce((sum, value) => sum + value, 0) / n;
  const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { n, mean, variance: n < 2 ? NaN : squares / (n - 1) };
}

/** P(T ≤ t) of Student's distribution. */
export function studentCdf(t: number, degreesOfFreedom: number): number {
  if (t === Infinity) return 1;
  if (t === -Infinity) return 0;
  return tCdf(t, degreesOfFreedom);
}

const limits = new Map<number, Map<number, number>>();

/** The t that is exceeded in either direction with probability 1 − level; kept, since simulations ask again and again. */
export function studentLimit(level: number, degreesOfFreedom: number): number {
  const ofLevel = limits.get(level) ?? new Map<number, number>();
  limits.set(level, ofLevel);
  const limit = ofLevel.get(degreesOfFreedom) ?? tQuantile((1 + level) / 2, degreesOfFreedom);
  ofLevel.set(degreesOfFreedom, limit);
  return limit;
}

/** One-sided p of a mean that is not above, and not below, `shift`; a sample that does not vary decides for certain. */
export function oneSampleT(
  estimate: number,
  standardError: number,
  degreesOfFreedom: number,
  shift: number,
): { readonly pGreater: number; readonly pLess: number } {
  const distance = estimate - shift;
  if (standardError === 0) {
    const certain = distance === 0 ? 0.5 : distance > 0 ? 0 : 1;
    return { pGreater: certain, pLess: 1 - certain };
  }
  const t = distance / standardError;
  return { pGreater: studentCdf(-t, degreesOfFreedom), pLess: studentCdf(t, degreesOfFreedom) };
}

export function tInterval({ n, mean, variance }: Moments, level: number): Interval {
  const reach = studentLimit(level, n - 1) * Math.sqrt(variance / n);
  return [mean - reach, mean + reach];
}
