import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

/** P(Z ≤ z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  return cdf(z, 0, 1);
}

/** The z with P(Z ≤ z) = `probability`. */
export function normalQuantile(probability: number): number {
  return quantile(probability, 0, 1);
}
