import type { MetricDefinition } from './metrics.ts';
import type { WorkloadKind } from './workload.ts';

type Kinds = readonly WorkloadKind[];
type OnDeadline = MetricDefinition['onDeadline'];

interface Traits {
  readonly higherIsBetter?: boolean;
  readonly kinds: Kinds;
  readonly onDeadline?: OnDeadline;
}

const page: Kinds = ['page'];
const video: Kinds = ['video'];
const download: Kinds = ['download'];
const all: Kinds = ['page', 'video', 'download'];

function define(
  form: MetricDefinition['form'],
  name: string,
  title: string,
  unit: string,
  margin: number,
  traits: Traits,
): MetricDefinition {
  const { higherIsBetter = false, kinds, onDeadline = 'missing' } = traits;
  return { name, title, unit, higherIsBetter, form, margin, kinds, onDeadline };
}

/** A metric above zero, compared by ratio; `margin` is a fraction. */
const ratio = (name: string, title: string, unit: string, margin: number, traits: Traits): MetricDefinition =>
  define('ratio', name, title, unit, margin, traits);

/** A metric that can be zero, compared by difference; `margin` is in `unit`. */
const difference = (
  name: string,
  title: string,
  unit: string,
  margin: number,
  traits: Traits,
): MetricDefinition => define('difference', name, title, unit, margin, traits);

const pageTime: Traits = { kinds: page, onDeadline: 'time' };
const rising = { higherIsBetter: true };

const pageMetrics: readonly MetricDefinition[] = [
  ratio('pltMs', 'page load time', 'ms', 0.03, pageTime),
  ratio('cdtMs', 'content download time', 'ms', 0.03, pageTime),
  ratio('ttfbMs', 'time to first byte', 'ms', 0.05, pageTime),
  ratio('ttfbWithConnectMs', 'time to first byte with connection set-up', 'ms', 0.05, pageTime),
  ratio('fcpMs', 'first contentful paint', 'ms', 0.03, pageTime),
  ratio('lcpMs', 'largest contentful paint', 'ms', 0.03, pageTime),
  difference('cls', 'cumulative layout shift', '', 0.01, { kinds: page }),
  difference('tbtMs', 'total blocking time', 'ms', 20, { kinds: page }),
  ratio('speedIndexMs', 'Speed Index', 'ms', 0.03, pageTime),
  ratio('visualComplete85Ms', 'viewport 85 % complete', 'ms', 0.05, pageTime),
  ratio('visualComplete99Ms', 'viewport 99 % complete', 'ms', 0.05, pageTime),
  // METRICS names no margin for these counts; 1 % tells a changed page from jitter.
  ratio('objectCount', 'objects', '', 0.01, { kinds: page }),
  ratio('wireBytes', 'bytes on the wire', 'B', 0.01, { kinds: page }),
  ratio('hostCount', 'hosts', '', 0.01, { kinds: page }),
  ratio('connectionCount', 'connections', '', 0.01, { kinds: page }),
];

const videoMetrics: readonly MetricDefinition[] = [
  ratio('averageChunkBitrateKbps', 'average chunk bitrate', 'kbit/s', 0.02, { kinds: video, ...rising }),
  ratio('timeWeightedBitrateKbps', 'time-weighted bitrate', 'kbit/s', 0.02, { kinds: video, ...rising }),
  ratio('meanChunkThroughputMbps', 'mean chunk throughput', 'Mbit/s', 0.03, {
    kinds: video,
    onDeadline: 'rate',
    ...rising,
  }),
  ratio('startupDelayMs', 'start-up delay', 'ms', 0.05, { kinds: video, onDeadline: 'time' }),
  difference('stallCount', 'stalls', '', 0.1, { kinds: video }),
  difference('stallTotalMs', 'stall time', 'ms', 100, { kinds: video }),
  difference('stallRatio', 'stall ratio', '', 0.005, { kinds: video }),
  difference('switchCount', 'quality switches', '', 0.5, { kinds: video }),
  ratio('switchMagnitudeKbps', 'quality switch magnitude', 'kbit/s', 0.05, { kinds: video }),
  ratio('qoeScore', 'QoE score', '', 0.02, { kinds: video, ...rising }),
  // The margins of network stalls; they tell that the machine, not the path, was the limit.
  difference('decodeStallCount', 'decode stalls', '', 0.1, { kinds: video }),
  difference('decodeStallTotalMs', 'decode stall time', 'ms', 100, { kinds: video }),
  // METRICS names no margins for the next two: 2 % as for bitrates, and a tenth of a second as for stall time.
  ratio('fairnessIndex', 'fairness between players (Jain)', '', 0.02, { kinds: video, ...rising }),
  difference('liveLatencyMs', 'latency to the live edge', 'ms', 100, { kinds: video }),
  // Not in METRICS' list of margins: 1 % of the 450 frames of a 15 s session.
  difference('droppedFrames', 'dropped frames', 'frames', 5, { kinds: video }),
  ratio('decodedFrames', 'decoded frames', 'frames', 0.05, { kinds: video, ...rising }),
];

const downloadMetrics: readonly MetricDefinition[] = [
  ratio('throughputMbps', 'throughput', 'Mbit/s', 0.03, { kinds: download, onDeadline: 'rate', ...rising }),
  ratio('timeToFirstByteMs', 'time to first byte', 'ms', 0.05, { kinds: download, onDeadline: 'time' }),
  ratio('totalRequestTimeMs', 'total request time (last stream)', 'ms', 0.03, {
    kinds: download,
    onDeadline: 'time',
  }),
];

const costMetrics: readonly MetricDefinition[] = [
  ratio('connectMs', 'connection set-up', 'ms', 0.05, { kinds: all, onDeadline: 'time' }),
  ratio('cpuSeconds', 'CPU time of the browser', 's', 0.05, { kinds: all }),
  ratio('browserCpuPercent', 'CPU use of the browser', '%', 0.05, { kinds: all }),
  ratio('networkServiceCpuPercent', 'CPU use of the networking process', '%', 0.05, { kinds: all }),
  ratio('cpuSecondsPerGigabyte', 'CPU time per gigabyte', 's/GB', 0.05, { kinds: all }),
  ratio('packetsReceived', 'packets received', 'packets', 0.05, { kinds: all }),
  ratio('packetsSent', 'packets sent', 'packets', 0.05, { kinds: all }),
  ratio('netifReceiveSkbCalls', 'netif_receive_skb calls', 'calls', 0.05, { kinds: all }),
  ratio('syscalls', 'system calls', 'calls', 0.05, { kinds: all }),
  ratio('smoothedRttMs', 'smoothed round-trip time', 'ms', 0.05, { kinds: all }),
];

/** Every plain numeric metric that is compared between arms, in the order in which reports list them. */
export const metricCatalogue: readonly MetricDefinition[] = Object.freeze([
  ...pageMetrics,
  ...videoMetrics,
  ...downloadMetrics,
  ...costMetrics,
]);

const byName: ReadonlyMap<string, MetricDefinition> = new Map(
  metricCatalogue.map((definition) => [definition.name, definition]),
);

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
  video: { metric: 'meanChunkThroughputMbps', pooled: false },
  download: { metric: 'throughputMbps', pooled: false },
});
