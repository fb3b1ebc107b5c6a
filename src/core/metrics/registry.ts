import type { WorkloadKind } from '../model/workload.ts';
import { connectionMetrics } from './connections.ts';
import { counterMetrics } from './counters.ts';
import { cpuMetrics } from './cpu.ts';
import { disturbanceMetrics } from './disturbances.ts';
import { downloadMetrics } from './downloads.ts';
import { familyMetrics } from './families.ts';
import { frameMetrics } from './frames.ts';
import { journeyMetrics } from './journeys.ts';
import { linkMetrics } from './link.ts';
import { messageMetrics } from './messages.ts';
import type { Metric } from './metric.ts';
import { pageLoadMetrics } from './page-load.ts';
import { pageObjectMetrics } from './page-objects.ts';
import { playbackQualityMetrics } from './playback-quality.ts';
import { playbackMetrics } from './playback.ts';
import { sharingMetrics } from './sharing.ts';
import { uploadMetrics } from './uploads.ts';

/** Every plain numeric metric that is compared between arms, in the order in which reports list them. */
export const metrics: readonly Metric[] = Object.freeze([
  ...journeyMetrics,
  ...pageLoadMetrics,
  ...pageObjectMetrics,
  ...playbackMetrics,
  ...playbackQualityMetrics,
  ...frameMetrics,
  ...downloadMetrics,
  ...connectionMetrics,
  ...familyMetrics,
  ...disturbanceMetrics,
  ...sharingMetrics,
  ...uploadMetrics,
  ...messageMetrics,
  ...linkMetrics,
  ...cpuMetrics,
  ...counterMetrics,
]);

const byName: ReadonlyMap<string, Metric> = new Map(
  metrics.map((definition) => [definition.name, definition]),
);

/** Titles that are plurals. */
const pluralTitles: ReadonlySet<string> = new Set(
  metrics.flatMap(({ title, isPlural }) => (isPlural === true ? [title] : [])),
);

/** Whether verbs about this title of a metric are those of a plural. */
export function isPluralTitle(title: string): boolean {
  return pluralTitles.has(title);
}

/** Names of all of them. */
export const metricNames: readonly string[] = metrics.map(({ name }) => name);

/** The definition of a metric, or undefined for a name that METRICS does not know. */
export function metricDefinition(name: string): Metric | undefined {
  return byName.get(name);
}

/** The metrics that a workload of this kind can have, in catalogue order. */
export function metricsOfKind(kind: WorkloadKind): readonly Metric[] {
  return metrics.filter((definition) => definition.kinds.includes(kind));
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
  upload: { metric: 'uploadMs', pooled: false },
  messages: { metric: 'messageP99Ms', pooled: false },
});
