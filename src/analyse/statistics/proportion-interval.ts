import betaQuantile from '@stdlib/stats-base-dists-beta-quantile';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import type { Interval } from './hodges-lehmann.ts';
import { normalQuantile } from './normal-distribution.ts';

/** Events among trials of one cluster. */
export interface ClusterCount {
  readonly events: number;
  readonly trials: number;
}

/**
 * Interval of a proportion whose trials are correlated within clusters: Wilson's score interval with the
 * effective sample size of Korn & Graubard (Survey Methodology 24, 1998): trials ÷ design effect, reduced
 * for the few degrees of freedom of k clusters. The design effect is never taken below one; where no cluster
 * differs from another (all or none are events) it cannot be estimated, and each cluster counts as one trial.
 * Null for fewer than two clusters.
 */
export function clusteredProportionInterval(
  clusters: readonly ClusterCount[],
  level: number,
): Interval | null {
  const used = clusters.filter((cluster) => cluster.trials > 0);
  const k = used.length;
  if (k < 2) return null;
  const trials = used.reduce((sum, cluster) => sum + cluster.trials, 0);
  const share = used.reduce((sum, cluster) => sum + cluster.events, 0) / trials;
  const z = normalQuantile((1 + level) / 2);
  const fewClusters = (z / tQuantile((1 + level) / 2, k - 1)) ** 2;
  const squares = used.reduce((sum, cluster) => sum + (cluster.events - share * cluster.trials) ** 2, 0);
  const clusterVariance = ((k / (k - 1)) * squares) / trials ** 2;
  const plainVariance = (share * (1 - share)) / trials;
  const effective = plainVariance === 0 ? k : trials / Math.max(1, clusterVariance / plainVariance);
  return wilson(share, Math.max(1, effective * fewClusters), z);
}

function wilson(share: number, n: number, z: number): Interval {
  const centre = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/**
 * One-sided upper confidence bound of a proportion of independent trials (Clopper & Pearson 1934): the share
 * at which so few events or fewer would have probability 1 − level. Null without trials.
 */
export function proportionUpperBound(events: number, trials: number, level: number): number | null {
  if (trials === 0) return null;
  return events >= trials ? 1 : betaQuantile(level, events + 1, trials - events);
}
