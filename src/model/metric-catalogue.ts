import type { MetricDefinition } from './metrics.ts';
import { metricList } from './metric-list.ts';
import type { WorkloadKind } from './workload.ts';

/** Every plain numeric metric that is compared between arms, in the order in which reports list them. */
export const metricCatalogue: readonly MetricDefinition[] = Object.freeze(metricList);

const byName: ReadonlyMap<string, MetricDefinition> = new Map(
  metricCatalogue.map((definition) => [definition.name, definition]),
);

/** Names of all of them. */
export const metricNames: readonly string[] = metricCatalogue.map(({ name }) => name);

/** The definition of a metric, or undefined for a name that METRICS does not know. */
export function metricDefinition(name: string): MetricDefinition | undefined {
  return byName.get(name);
}

/** The metrics that a workload of this kind can have, in catalogue order. */
export function metricsOfKind(kind: WorkloadKind): readonly MetricDefinition[] {
  return metricCatalogue.filter((definition) => definition.kinds.includes(kind));
}

export interface PrimaryMetric {
  readonly metric: string;
  /** Whether the comparison pooled over all workloads of the kind is the primary one, not each single workload. */
  readonly pooled: boolean;
}

/** The primary metric of a kind where a preset names none. */
export const defaultPrimaries: Readonly<Record<WorkloadKind, PrimaryMetric>> = Object.freeze({
  page: { metric: 'pltMs', pooled: true },
  journey: { metric: 'journeyMs', pooled: false },
  video: { metric: 'meanChunkThroughputMbps', pooled: false },
  download: { metric: 'throughputMbps', pooled: false },
});
